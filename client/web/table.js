/* A game on the page: board, players, clocks, moves, and what is said about it. */

const FULL = { R: 2, N: 2, B: 2, G: 2, C: 2, P: 5 };

/* The letters of what was taken from a side, the strongest first. */
/** @param {string} cells @param {Side} side */
function takenFrom(cells, side) {
    let taken = "";
    for (const [letter, count] of Object.entries(FULL)) {
        const own = side === "red" ? letter : letter.toLowerCase();
        taken += own.repeat(Math.max(0, count - (cells.split(own).length - 1)));
    }
    return taken;
}

const FOLLOW_MS = 4000,
    LOW_MS = 10000;

class Table {
    /** @param {Core} core @param {Host} line @param {string} game @param {Page} page */
    constructor(core, line, game, page) {
        this.page = page;
        this.core = core;
        this.line = line;
        this.game = game;
        this.next = 0; /* number of the next event */
        this.expected = 1; /* the number of events that exist; nothing is drawn before
         * all of them have arrived */
        this.knownPlies = 0;
        this.spoken = -1;
        /** @type {Items} */
        this.start = {};
        this.clocks = new Clocks("none");
        /** @type {Items} */
        this.state = {};
        /** @type {import("./trial.js").Trial | null} */
        this.trial = null; /* the reader's own board (trial.js) */
        /** @type {Items} */
        this.shown = {}; /* what the board shows: of the game, or of the trial */
        /** @type {Record<string, boolean>} */
        this.sealed = {}; /* the sides whose line-up waits for the other side's */
        /** @type {Answer | null} */
        this.answered = null; /* to watch or resume, before all events have come */
        /** @type {Parsed | null} */
        this.lastEvent = null;
        /** @type {boolean | undefined} */
        this.cameLate = undefined; /* after the end */
        /** @type {number | undefined} */
        this.chooseUntil = undefined;
        /** @type {HTMLInputElement | null} */
        this.follow = null;
        /** @type {Promise<void> | null} */
        this.starting = null; /* of a trial */
        this.code = ""; /* of a private game */
        /** @type {ReturnType<typeof setInterval> | undefined} */
        this.watcherTimer = undefined;
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        this.followTimer = undefined;
        this.isClosed = false;
        this.isHome = false;
        core.clear();
        this.board = new Board({
            onPick: (point) => this.pick(point),
            mayDrag: (point) => this.mayDrag(point),
            onGrasp: (point) => this.select(point),
            onDrag: (from, to) => this.dropAt(from, to),
        });
        this.board.restyle(recall("pieces", chosenLanguage() === "ko" ? "hanja" : "both"));
        this.moves = new MoveList(() => this.endTrial(), this.board.style);
        this.talk = new Talk(this);
        this.players = { red: new PlayerStrip("red"), blue: new PlayerStrip("blue") };
        this.status = el("span");
        this.countdown = el("span", { class: "countdown", role: "timer", "aria-live": "off" });
        this.strip = el("p", { class: "status" }, this.status, this.countdown);
        this.said = el("p", { class: "unseen", "aria-live": "polite" });
        this.alerted = el("p", { class: "unseen", role: "alert" });
        this.actions = el("div", { class: "actions" });
        this.watchers = el("p", { class: "watchers" });
        this.terms = el("p", { class: "terms faint" });
        this.rated = el("p", { class: "rated", role: "status", hidden: true });
        this.files = el("span", { class: "files" });
        const tools = this.tools();
        this.heading = el("h1", {
            class: "unseen",
            text: fill(_("Game {game}"), { game: this.game }),
        });
        this.top = el("div", { class: "seat top" });
        this.bottom = el("div", { class: "seat bottom" });
        this.element = el(
            "main",
            { class: "table" },
            this.heading,
            el("div", { class: "field" }, this.top, this.board.element, this.bottom),
            el(
                "div",
                { class: "side" },
                this.strip,
                this.rated,
                this.actions,
                this.moves.element,
                tools,
                this.talk.element,
                this.terms,
                this.watchers,
            ),
            this.said,
            this.alerted,
        );
        if (this.page.isEmbedded)
            this.element.append(
                el("a", {
                    class: "whole",
                    href: "/game/" + this.game,
                    target: "_blank",
                    rel: "noopener",
                    text: _("Open the whole page"),
                }),
            );
        this.seat();
        this.ticker = setInterval(() => this.tick(), 100);
        this.onKey = (/** @type {KeyboardEvent} */ event) => this.press(event);
        document.addEventListener("keydown", this.onKey);
    }

    close() {
        this.line.isBrisk = false;
        this.isClosed = true;
        this.trial?.close();
        clearInterval(this.ticker);
        clearInterval(this.watcherTimer);
        clearTimeout(this.followTimer);
        document.removeEventListener("keydown", this.onKey);
    }

    /* --- Building --- */

    tools() {
        /** @type {Items} */
        const styles = {
            both: _("Hanja and letters"),
            hanja: _("Hanja"),
            hangul: _("Hangul"),
            letters: _("Letters"),
        };
        /** @type {HTMLSelectElement} */
        const select = el(
            "select",
            { "aria-label": _("Pieces"), onchange: () => this.restyle(select.value) },
            ...PIECE_STYLES.map((style) => el("option", { value: style, text: styles[style] })),
        );
        select.value = this.board.style;
        /** @type {HTMLSelectElement} */
        const points = el(
            "select",
            { "aria-label": _("Names of the points"), onchange: () => this.rename(points.value) },
            el("option", { value: "letters", text: "A6" }),
            el("option", { value: "korean", text: _("79, as in Korean records") }),
        );
        points.value = pointStyle.isKorean ? "korean" : "letters";
        return el(
            "div",
            { class: "tools" },
            actionButton(_("Turn the board"), () => this.turn()),
            select,
            points,
            this.files,
        );
    }

    /** @param {string} kind */
    rename(kind) {
        remember("points", kind);
        pointStyle.isKorean = kind === "korean";
        this.board.build();
        this.restyle(this.board.style);
    }

    /** @param {string} style */
    restyle(style) {
        remember("pieces", style);
        this.board.restyle(style);
        this.moves.restyle(style);
        this.render();
    }

    turn() {
        this.board.turn(!this.board.isFlipped);
        this.seat();
        this.render();
    }

    seat() {
        const below = this.board.isFlipped ? "blue" : "red";
        this.bottom.replaceChildren(this.players[below].element);
        this.top.replaceChildren(this.players[below === "red" ? "blue" : "red"].element);
    }

    /* --- Lines --- */

    /* The answer of watch and resume. */
    /** @param {Answer} answer */
    takeAnswer(answer) {
        this.expected = Number(answer.items.events);
        this.answered = answer;
        if (this.next >= this.expected) this.catchUp();
    }

    /* An event; false: some before it are missing. */
    /** @param {number} number @param {string} text */
    takeEvent(number, text) {
        if (number < this.next) return true;
        if (number > this.next) return false;
        if (!this.core.apply(text)) {
            this.fail(_("This page can no longer follow the game: load the page again."));
            return true;
        }
        this.next++;
        this.fold(parseLine("event " + text));
        if (this.next >= this.expected) this.catchUp();
        return true;
    }

    /** @param {Parsed} event */
    fold(event) {
        const kind = event.words[0];
        if (kind === "start") {
            this.start = event.items;
            this.clocks = new Clocks(event.items.time);
            this.terms.textContent = termsWords(this.core, event.items);
            for (const side of SIDES) this.askRating(side);
        }
        if (kind === "takeback")
            this.knownPlies = Math.min(this.knownPlies, Number(event.words[1]));
        if (kind === "move")
            this.clocks.take(event.items, event.words[2] === "red" ? "blue" : "red", true);
        else if (kind === "end") this.clocks.stop();
        else this.clocks.take(event.items, "none", true);
        this.lastEvent = event;
    }

    /* Returns true if all known events have been folded. */
    catchUp() {
        const clock = this.answered;
        this.answered = null;
        const plies = this.core.plies(this.knownPlies + 1);
        this.moves.take(plies, this.knownPlies);
        this.knownPlies += plies.length;
        if (clock?.items.running) this.clocks.take(clock.items, clock.items.running, false);
        this.cameLate ??= this.lastEvent?.words[0] === "end";
        if (clock?.items.rematch) this.showNext(clock.items.rematch);
        this.render();
        this.speak();
    }

    /** @param {Items} items */
    takeClock(items) {
        this.clocks.take(items, items.running, false);
        this.tick();
    }

    /** @param {Parsed} news */
    takeNews(news) {
        const kind = news.words[0];
        if (kind === "clock") this.takeClock(news.items);
        else if (kind === "say" || kind === "whisper") this.talk.take(news);
        else if (kind === "presence")
            this.players[/** @type {Side} */ (news.items.side)]?.here(news.items.here === "1");
        else if (kind === "setup") this.takeSetup(news.items);
        else if (kind === "rematch") this.showNext(news.items.new);
        else if (kind === "rating") this.takeRating(news.items);
        else if (kind === "closed") this.fail(_("You may no longer watch this game."));
    }

    /* The rating of a player in the pool of this game. */
    /** @param {Side} side */
    async askRating(side) {
        const answer = await this.line.ask("rank " + this.start[side]);
        const row = answer?.block
            .map(parseLine)
            .find((each) => each.items.pool === poolOf(this.start));
        if (answer?.ok && row !== undefined && this.rated.hidden)
            this.players[side].rate(ratingWords(row.items));
    }

    /** @param {Items} items */
    async takeRating(items) {
        this.rated.hidden = false;
        const after = await loadPart(this.core.files, "after").catch(() => null);
        this.rated.textContent = after?.changeWords(items, this.start) ?? _(PART_LOST);
        if (items.counted === "no") return;
        for (const side of SIDES)
            this.players[side].rate(
                ratingWords({ rating: items[side], rank: items[side + "_rank"] }),
            );
    }

    /* Takes how long a side had, at that time, to choose a line-up, or that it has chosen one
     * that is still hidden. */
    /** @param {Items} items @param {number} [at] */
    takeSetup(items, at = performance.now()) {
        this.sealed[items.side] = items.sealed !== undefined;
        if (this.next > 0) this.render();
        if (items.sealed === undefined)
            this.chooseUntil = items.left_ms === undefined ? undefined : at + Number(items.left_ms);
    }

    /* A watcher moves on to the next game of the table, except one who looks at earlier moves
     * or does not want to. One who came after the end came to see this game, and only gets a
     * link. */
    /** @param {string} game */
    showNext(game) {
        const way = el("a", {
            class: "button",
            href: "/game/" + game,
            text: _("Watch the next game"),
        });
        if (this.cameLate)
            return this.actions.replaceChildren(
                el("span", { text: _("The players play again.") }),
                way,
            );
        /** @type {HTMLInputElement} */
        const follow = el("input", {
            type: "checkbox",
            onchange: () => {
                remember("follow", follow.checked ? "on" : "off");
                this.followLater(game);
            },
        });
        follow.checked = this.page.isEmbedded || recall("follow", "on") === "on";
        this.follow = follow;
        this.actions.replaceChildren(
            way,
            el("label", { class: "choice" }, follow, _("Show their next games too")),
        );
        this.said.textContent = _("The players play again.");
        this.followLater(game);
    }

    /** @param {string} game */
    followLater(game) {
        clearTimeout(this.followTimer);
        if (!this.follow?.checked) return;
        this.followTimer = setTimeout(
            () => this.follow?.checked && this.isLive() && this.page.goTo(game),
            FOLLOW_MS,
        );
    }

    /* --- Showing --- */

    /* change() may hide or remove what has the focus; then the board gets it. */
    /** @param {() => void} change */
    keepFocus(change) {
        const had = document.activeElement,
            wasHere = this.element.contains(had);
        change();
        if (wasHere && had?.getClientRects().length === 0) this.board.takeFocus();
    }

    isLive() {
        return this.trial === null && this.moves.isNewest();
    }

    render() {
        if (this.next === 0 || this.next < this.expected) return;
        const state = this.core.state(this.moves.isNewest() ? -1 : this.moves.at());
        this.state = state;
        this.shown = this.trial?.state() ?? state;
        const side = this.sideAt(this.shown);
        this.board.show(this.position(this.shown), side);
        this.board.mark(null, [], null);
        for (const each of SIDES) this.renderPlayer(each, side);
        this.status.textContent = this.statusWords();
        this.strip.className =
            "status " + (this.shown.phase === "over" ? "over " + state.outcome : side);
        this.moves.element.hidden =
            state.phase === "setup" || (state.phase === "over" && this.moves.plies.length === 0);
        this.renderFiles();
        this.tick();
        if (this.isLive())
            this.line.isBrisk =
                ["setup", "play"].includes(state.phase) && poolOf(this.start) !== "days";
        document.title = this.title();
    }

    /* What the board shows. */
    /** @param {Items} state */
    position(state) {
        return {
            cells: state.phase === "setup" ? this.lineupsShown() : state.board,
            last: pointsOf(state.last),
            isCheck: state.check === "piece" || state.check === "both",
        };
    }

    /* Before the game: the line-ups that are chosen, and empty points for one that is not. */
    lineupsShown() {
        const { board, red_lineup = "....", blue_lineup = "...." } = this.state;
        const cells = [...board],
            letters = red_lineup.toUpperCase() + blue_lineup.toLowerCase();
        [1, 2, 6, 7, 82, 83, 87, 88].forEach((point, i) => (cells[point] = letters[i]));
        return cells.join("");
    }

    /* Returns the side to move in the position that is shown. */
    /** @param {Items} state */
    sideAt(state) {
        if (this.isLive() && state.phase !== "over") return state.turn;
        return state.side ?? state.turn;
    }

    /** @param {Side} side @param {string} turn */
    renderPlayer(side, turn) {
        const other = side === "red" ? "blue" : "red",
            state = this.shown;
        const points = (state.points ?? "").split("/")[side === "red" ? 0 : 1];
        const isStart = this.start.position !== undefined;
        this.players[side].show({
            name: this.start[side],
            points,
            isTurn: turn === side && state.phase !== "over",
            taken: isStart ? "" : takenFrom(state.board, other),
            isWinner: state.phase === "over" && state.outcome === side,
            style: this.board.style,
        });
    }

    /** @param {string} kind @param {string} type @param {() => Promise<string>} make */
    saver(kind, type, make) {
        return actionButton(kind.toUpperCase(), () =>
            make().then(
                (text) => download(`janggi-${this.game}.${kind}`, type, text),
                () => this.talk.note(_("No connection.")),
            ),
        );
    }

    renderFiles() {
        const isOver = this.state.phase === "over";
        if (this.files.dataset.over === String(isOver)) return;
        this.files.dataset.over = String(isOver);
        this.files.replaceChildren(
            el("span", { class: "faint", text: _("Save:") }),
            this.saver("svg", "image/svg+xml", () =>
                this.core.picture(this.moves.at(), this.board.isFlipped),
            ),
        );
        if (isOver)
            loadPart(this.core.files, "after")
                .then((after) => after.offer(this))
                .catch(() => (this.files.dataset.over = ""));
    }

    /* Both choose a line-up, at the same time. */
    isSealed() {
        return this.state.phase === "setup" && this.start.sealed === "yes";
    }

    statusWords() {
        const state = this.state,
            check = state.check !== "none" && state.check !== undefined;
        const side = this.sideAt(this.shown);
        const values = {
            side: side === "none" ? "" : _(side === "red" ? "Red" : "Blue"),
            n: state.ply,
        };
        if (this.trial !== null) return fill(_("On a board of your own: {side} to move"), values);
        if (!this.isLive())
            return fill(_("After move {n} of {all}"), {
                n: state.ply,
                all: this.moves.plies.length,
            });
        if (state.phase === "over") return state.words;
        if (this.isSealed()) return _("Both choose a line-up");
        if (state.phase === "setup") return fill(_("{side} chooses a line-up"), values);
        if (state.phase === "adjourned") return _("The game is adjourned.");
        if (state.check === "kings" || state.check === "both")
            return fill(_("{side} to move; the kings are bare"), values);
        return fill(check ? _("{side} to move, in check") : _("{side} to move"), values);
    }

    title() {
        const state = this.state,
            names = `${this.start.red} – ${this.start.blue}`;
        return (
            (this.isOurTurn() && state.phase === "play" ? "● " : "") + `${names} · ${_("Janggi")}`
        );
    }

    tick() {
        if (this.element.classList.contains("off")) return;
        for (const side of SIDES)
            this.players[side].showClock(
                this.clocks.shown(side),
                this.clocks.running === side,
                this.clocks.periodMs,
            );
        const until = this.state.phase === "setup" ? this.chooseUntil : undefined,
            words = until === undefined ? "" : " " + clockWords(until - performance.now());
        if (this.countdown.textContent !== words) this.countdown.textContent = words;
    }

    /* Adds one sentence for each event, for a screen reader. */
    speak() {
        const isFirst = this.spoken < 0,
            isNew = this.next > this.spoken;
        this.spoken = this.next;
        if (isFirst || !isNew || !this.isLive()) return;
        const kind = this.lastEvent?.words[0];
        if (kind === "end") this.alerted.textContent = this.statusWords();
        else if (kind === "move")
            this.said.textContent = `${this.core.last()} ${this.statusWords()}.`;
        else this.said.textContent = this.statusWords();
        this.onHeard(kind ?? "");
    }

    /** @param {string} words */
    fail(words) {
        this.alerted.textContent = words;
        this.status.textContent = words;
    }

    async countWatchers() {
        const answer = await this.line.ask("watchers " + this.game);
        if (!answer?.ok) return;
        const names = answer.block.map((row) => row.replace(/^watcher /, "")).slice(0, 12);
        const count = Number(answer.items.count);
        this.watchers.textContent =
            count === 0
                ? ""
                : fill(_("Watching ({count}): {names}"), {
                      count,
                      names: names.join(", ") + (count > names.length ? " …" : ""),
                  });
    }

    /* --- The reader --- */

    /** @param {KeyboardEvent} event */
    press(event) {
        const isTyping = /** @type {Element} */ (event.target).matches("input, textarea, select");
        if (isTyping || event.ctrlKey || event.altKey || event.metaKey) return;
        if (this.trial !== null && event.key === "ArrowLeft") this.trial.back();
        else if (this.moves.press(event.key)) event.preventDefault();
        else if (event.key === "Escape" && this.trial !== null) this.endTrial();
        else if (event.key === "Escape") this.board.mark(null, [], null);
    }

    /* --- Trying moves --- */

    /* Not a player whose game runs: there the board is the game. */
    mayTry() {
        return ["play", "adjourned", "over"].includes(this.state.phase);
    }

    /* Of the core of the game only the moves of a running position are known. */
    needsTrial() {
        return this.trial === null && (!this.isLive() || this.state.phase !== "play");
    }

    /* At the position that is shown; not when the part of the page cannot be fetched, or the reader
     * has gone elsewhere meanwhile. */
    async beginTrial() {
        this.starting ??= this.makeTrial().finally(() => (this.starting = null));
        await this.starting;
    }

    async makeTrial() {
        const at = this.moves.at(),
            part = await loadPart(this.core.files, "trial").catch(() => null);
        if (this.isClosed || at !== this.moves.at()) return;
        if (part === null) return this.talk.note(_(PART_LOST));
        const trial = await part.Trial.begin(this);
        if (this.isClosed || at !== this.moves.at()) return trial.close();
        this.trial = trial;
        this.render();
    }

    /** @param {number} from @param {number} to */
    async tryMove(from, to) {
        if (this.trial === null) await this.beginTrial();
        if (this.trial === null) return;
        if (!this.trial.move(`${pointName(from)}-${pointName(to)}`) && this.trial.isFresh())
            this.endTrial();
    }

    /* Back to the game, at the position that the list of moves names. */
    endTrial() {
        this.trial?.close();
        this.trial = null;
        this.board.advise(null);
        this.render();
    }

    /* Everybody may look at the legal moves of the side to move. */
    /** @param {number} point */
    targetsOf(point) {
        const from = pointName(point) + "-",
            core = this.trial?.core ?? this.core;
        return core
            .moves()
            .filter((move) => move.startsWith(from))
            .flatMap((move) => pointsOf(move)?.to ?? []);
    }

    /** @param {number} point */
    async select(point) {
        if (this.needsTrial() && this.mayTry()) await this.beginTrial();
        if (this.trial !== null || this.isLive())
            this.board.mark(point, this.targetsOf(point), null);
    }

    /** @param {number} point */
    pick(point) {
        const isPiece = this.shown.board[point] !== ".",
            from = this.board.selected;
        if (from !== null && from !== undefined && this.board.targets.has(point) && this.mayTry())
            this.tryMove(from, point);
        else if (isPiece && (this.isLive() || this.mayTry()) && from !== point) this.select(point);
        else this.board.mark(null, [], null);
    }

    /* --- What a player has more (seat.js) --- */

    isOurTurn() {
        return false;
    }

    /** @param {number} point */
    mayDrag(point) {
        const letter = this.shown.board?.[point] ?? ".";
        return letter !== "." && this.mayTry() && sideOf(letter) === this.sideAt(this.shown);
    }

    /** @param {number} from @param {number | null} to */
    dropAt(from, to) {
        if (to === null || to === from || (!this.needsTrial() && !this.board.targets.has(to)))
            this.select(from);
        else this.tryMove(from, to);
    }

    /** @param {string} _kind */
    onHeard(_kind) {}
}

/* A player's name, clock, points and what they took. */
class PlayerStrip {
    /** @param {Side} side */
    constructor(side) {
        this.side = side;
        this.shown = "";
        this.name = el("span", { class: "name" });
        this.rating = el("span", { class: "rating" });
        this.away = el("span", { class: "away" });
        this.taken = el("span", { class: "taken" });
        this.points = el("span", { class: "points" });
        this.time = el("span");
        this.periods = el("small");
        this.clock = el(
            "span",
            { class: "clock", role: "timer", "aria-live": "off", hidden: true },
            this.time,
            this.periods,
        );
        this.badge = el("span", { class: "badge" });
        this.element = el(
            "div",
            { class: "player " + side },
            this.badge,
            el(
                "div",
                { class: "who" },
                el("div", null, this.name, this.rating, this.away),
                el("div", { class: "below" }, this.points, this.taken),
            ),
            this.clock,
        );
    }

    /** @param {Strip} strip */
    show({ name, points, taken, isTurn, isWinner, style }) {
        this.name.textContent = name;
        this.name.title = name;
        this.element.classList.toggle("turn", isTurn);
        this.element.classList.toggle("winner", isWinner);
        this.points.textContent =
            points === undefined || points === "" ? "" : fill(_("{points} points"), { points });
        const key = taken + style;
        if (this.shown !== key) {
            this.badge.replaceChildren(
                pieceIcon(this.side === "red" ? "K" : "k", style === "both" ? "hanja" : style),
            );
            this.taken.replaceChildren(
                ...[...taken].map((letter) =>
                    pieceIcon(letter, style === "both" ? "hanja" : style),
                ),
            );
            const names = [...taken].map(kindName).join(", ");
            this.taken.setAttribute("role", "img");
            this.taken.setAttribute(
                "aria-label",
                names === "" ? _("took nothing") : fill(_("took {names}"), { names }),
            );
        }
        this.shown = key;
    }

    /**
     * @param {(Left & { more: number }) | null} left @param {boolean} isRunning
     * @param {number} periodMs
     */
    showClock(left, isRunning, periodMs) {
        if (left === null) return;
        const periods = left.more === 0 ? "" : `${left.more} × ${clockWords(periodMs)}`,
            words = clockWords(left.ms, isRunning && left.ms < LOW_MS);
        this.clock.hidden = false;
        if (this.time.textContent !== words) this.time.textContent = words;
        if (this.periods.textContent !== periods) this.periods.textContent = periods;
        this.clock.classList.toggle("running", isRunning);
        this.clock.classList.toggle(
            "low",
            left.ms < 20000 && (left.inPeriod || left.periods === 0),
        );
    }

    /** @param {string} words */
    rate(words) {
        this.rating.textContent = words;
    }

    /** @param {boolean} isHere */
    here(isHere) {
        this.away.textContent = isHere ? "" : _("away");
    }
}
