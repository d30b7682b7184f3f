/* A game on the page: board, players, clocks, moves, and what is said about it. Game has its state;
 * render() shows it. */

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

const FOLLOW_MS = 4000;

class Table {
    /** @param {Page} page @param {Host} line @param {string} id @param {string} me */
    constructor(page, line, id, me) {
        this.page = page;
        this.line = line;
        this.core = page.core;
        this.game = new Game(page.core, line, id, me);
        this.game.follows = page.isEmbedded || recall("follow", "on") === "on";
        this.isHome = line.isHome === true;
        this.isClosed = false;
        /** @type {Answer | null} */
        this.answered = null; /* to watch or resume, before all events have come */
        this.spoken = -1; /* the events of which a screen reader has heard */
        this.warnedAt = 0; /* the event after which time was short */
        /** @type {Promise<void> | null} */
        this.starting = null; /* of a trial */
        /** @type {ReturnType<typeof setInterval> | undefined} */
        this.watcherTimer = undefined;
        /** @type {ReturnType<typeof setTimeout> | undefined} */
        this.followTimer = undefined;
        this.board = new Board({
            onPick: (point) => this.pick(point),
            mayDrag: (point) => this.game.mayDrag(point),
            onGrasp: (point) => this.select(point),
            onDrag: (from, to) => this.dropAt(from, to),
        });
        this.board.restyle(recall("pieces", chosenLanguage() === "ko" ? "hanja" : "both"));
        this.moves = new MoveList((ply) => this.go(ply), this.board.style);
        this.talk = new Talk(this);
        this.players = { red: new PlayerStrip("red"), blue: new PlayerStrip("blue") };
        this.status = el("span");
        this.countdown = el("span.countdown", { role: "timer", "aria-live": "off" });
        this.strip = el("p.status", this.status, this.countdown);
        this.said = el("p.unseen", { "aria-live": "polite" });
        this.alerted = el("p.unseen", { role: "alert" });
        this.seat = new Seat(this);
        this.watchers = el("p.watchers");
        this.terms = el("p.terms.faint");
        this.rated = el("p.rated", { role: "status", hidden: true });
        this.files = el("span.files");
        this.heading = el("h1.unseen", fill(_("Game {game}"), { game: id }));
        this.top = el("div.seat.top");
        this.bottom = el("div.seat.bottom");
        const side = el("div.side", this.strip, ...this.seat.elements, this.rated),
            field = el("div.field", this.top, this.board.element, this.bottom),
            whole = { href: "/game/" + id, target: "_blank", rel: "noopener" };
        side.append(this.seat.actions, this.moves.element, this.tools(), this.talk.element);
        side.append(this.terms, this.watchers, this.seat.keeping);
        this.element = el("main.table", this.heading, field, side, this.said, this.alerted);
        if (page.isEmbedded) this.element.append(el("a.whole", whole, _("Open the whole page")));
        /* What shows the game, in this order. */
        /** @type {{ render(game: Game): void }[]} */
        this.parts = [this.board, this.moves, this.seat];
        this.seatPlayers();
        this.ticker = setInterval(() => this.tick(), 100);
        this.onKey = (/** @type {KeyboardEvent} */ event) => this.press(event);
        document.addEventListener("keydown", this.onKey);
    }

    close() {
        this.line.isBrisk = false;
        this.line.leave?.();
        this.isClosed = true;
        this.game.trial?.close();
        clearInterval(this.ticker);
        clearInterval(this.watcherTimer);
        clearTimeout(this.followTimer);
        document.removeEventListener("keydown", this.onKey);
    }

    tools() {
        const hanja = { both: _("Hanja and letters"), hanja: _("Hanja") },
            styles = { ...hanja, cursive: _("Hanja, Blue in cursive"), hangul: _("Hangul") };
        const names = { letters: "A6", korean: _("79, as in Korean records") },
            named = pointStyle.isKorean ? "korean" : "letters",
            { style } = this.board,
            restyle = (/** @type {string} */ chosen) => this.restyle(chosen);
        return el(
            "div.tools",
            ...this.seat.switches(),
            actionButton(_("Turn the board"), () => this.turn()),
            picker({ ...styles, letters: _("Letters") }, style, restyle, _("Pieces")),
            picker(names, named, (kind) => this.rename(kind), _("Names of the points")),
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
        this.seatPlayers();
        this.render();
    }

    seatPlayers() {
        const below = this.board.isFlipped ? "blue" : "red";
        this.bottom.replaceChildren(this.players[below].element);
        this.top.replaceChildren(this.players[below === "red" ? "blue" : "red"].element);
    }

    /* --- Lines --- */

    /* The answer of watch and resume. A move that was lost with the connection goes again. */
    /** @param {Answer} answer */
    takeAnswer(answer) {
        this.game.expected = Number(answer.items.events);
        this.answered = answer;
        if (this.game.isWhole()) this.catchUp();
        if (this.game.pending !== null) this.sendPending();
    }

    /* An event; false: some before it are missing. */
    /** @param {number} number @param {string} text */
    takeEvent(number, text) {
        const { game } = this;
        if (number !== game.next) return number < game.next;
        if (!game.take(text))
            this.fail(_("This page can no longer follow the game: load the page again."));
        else if (game.isWhole()) this.catchUp();
        return true;
    }

    catchUp() {
        const { game } = this,
            clock = this.answered?.items;
        this.answered = null;
        game.catchUp(clock);
        if (this.spoken < 0) this.begin();
        if (clock?.rematch) this.showNext(clock.rematch);
        this.render();
        this.speak();
    }

    begin() {
        const { side, start } = this.game;
        this.terms.textContent = termsWords(this.core, start);
        for (const each of SIDES) this.askRating(each);
        if (side === null) return;
        this.board.element.classList.add("played");
        this.talk.as("say");
        this.talk.form.hidden = start.talk === "no";
        if (side === "blue") this.turn();
    }

    /** @param {Parsed} news */
    takeNews(news) {
        const { game } = this,
            [kind, id] = news.words;
        game.takeNews(news);
        if (kind === "clock") this.tick();
        else if (kind === "say" || kind === "whisper") this.talk.take(news);
        else if (kind === "rematch") this.showNext(news.items.new);
        else if (kind === "rating") this.takeRating(news);
        else if (kind === "closed") this.fail(_("You may no longer watch this game."));
        else this.render();
        const offer = kind === "offer" ? game.offers.get(id) : undefined;
        if (offer !== undefined && offer.by !== game.me)
            this.page.alerts.tell(document.title, game.offerWords(offer));
    }

    /* The rating of a player in the pool of this game. */
    /** @param {Side} side */
    async askRating(side) {
        const answer = await this.line.ask("rank " + this.game.start[side]);
        const rows = answer?.block.map(parseLine),
            row = rows?.find((each) => each.items.pool === poolOf(this.game.start));
        if (!answer?.ok || row === undefined || !this.rated.hidden) return;
        this.game.ratings[side] = ratingWords(row.items);
        this.render();
    }

    /** @param {Parsed} news */
    async takeRating(news) {
        const { items } = news;
        this.rated.hidden = false;
        const after = await loadPart(this.core.files, "after").catch(() => null);
        this.rated.textContent = after?.changeWords(news, this.game.start) ?? _(PART_LOST);
        if (items.counted === "no") return;
        for (const side of SIDES) this.game.ratings[side] = ratingOf(items, side);
        this.render();
    }

    /* A watcher moves on to the next game of the table, except one who looks at earlier moves
     * or does not want to. One who came after the end came to see this game, and only gets a
     * link. A player is in that game. */
    /** @param {string} id */
    showNext(id) {
        const { game } = this;
        if (game.side !== null && !game.cameLate) return this.page.goTo(id);
        game.nextGame = id;
        this.render();
        if (game.side !== null || game.cameLate) return;
        this.said.textContent = _("The players play again.");
        this.followLater();
    }

    followLater() {
        const { game } = this;
        clearTimeout(this.followTimer);
        if (!game.follows) return;
        const follow = () => game.isLive() && this.page.goTo(game.nextGame ?? "");
        this.followTimer = setTimeout(follow, FOLLOW_MS);
    }

    async countWatchers() {
        const answer = await this.line.ask("watchers " + this.game.id);
        if (!answer?.ok) return;
        const shown = answer.block.map((row) => row.replace(/^watcher /, "")).slice(0, 12),
            count = Number(answer.items.count),
            names = shown.join(", ") + (count > shown.length ? " …" : ""),
            words = fill(_("Watching ({count}): {names}"), { count, names });
        this.watchers.textContent = count === 0 ? "" : words;
    }

    /* --- Showing --- */

    /* The board gets the focus of what is hidden or gone afterwards. */
    render() {
        const { game } = this,
            wasHere = this.element.contains(document.activeElement);
        if (!game.isWhole()) return;
        game.look();
        for (const part of this.parts) part.render(game);
        for (const side of SIDES) this.players[side].render(game, this.board.style);
        const { phase, outcome } = game.state;
        this.status.textContent = game.words();
        const how = game.shown.phase === "over" ? "over " + outcome : game.turn();
        this.strip.className = "status " + how;
        this.renderFiles();
        this.tick();
        this.line.isBrisk = ["setup", "play"].includes(phase) && poolOf(game.start) !== "days";
        document.title = game.title();
        const now = document.activeElement;
        if (wasHere && (now === document.body || now?.getClientRects().length === 0))
            this.board.takeFocus();
    }

    /** @param {string} kind @param {string} type @param {() => Promise<string>} make */
    saver(kind, type, make) {
        const save = (/** @type {string} */ text) =>
                download(`janggi-${this.game.id}.${kind}`, type, text),
            fail = () => this.talk.note(_("No connection."));
        return actionButton(kind.toUpperCase(), () => make().then(save, fail));
    }

    renderFiles() {
        const isOver = this.game.state.phase === "over";
        if (this.files.dataset.over === String(isOver)) return;
        this.files.dataset.over = String(isOver);
        const picture = () => this.core.picture(this.game.at(), this.board.isFlipped),
            saver = this.saver("svg", "image/svg+xml", picture);
        this.files.replaceChildren(el("span.faint", _("Save:")), saver);
        if (isOver)
            loadPart(this.core.files, "after")
                .then((after) => after.offer(this))
                .catch(() => (this.files.dataset.over = ""));
    }

    /* The clocks; a knock once for each of our turns that becomes short. */
    tick() {
        const { game } = this;
        if (this.element.classList.contains("off")) return;
        for (const side of SIDES) this.players[side].renderClock(game.clocks);
        const until = game.state.phase === "setup" ? game.chooseUntil : undefined,
            words = until === undefined ? "" : " " + clockWords(until - performance.now());
        if (this.countdown.textContent !== words) this.countdown.textContent = words;
        if (!game.isLow()) return;
        if (this.warnedAt !== game.next) this.page.sound.knock([LOW_TIME]);
        this.warnedAt = game.next;
    }

    /* Adds one sentence for each event, for a screen reader. */
    speak() {
        const { game } = this,
            isFirst = this.spoken < 0,
            isNew = game.next > this.spoken;
        this.spoken = game.next;
        if (isFirst || !isNew || !game.isLive()) return;
        const kind = game.lastEvent?.words[0],
            words = game.words(),
            isOurs = game.isOurTurn();
        if (kind === "end") this.alerted.textContent = words;
        else this.said.textContent = kind === "move" ? `${this.core.last()} ${words}.` : words;
        if (game.side !== null && (kind === "end" || isOurs))
            this.page.alerts.tell(document.title, words);
        const ply = kind === "move" ? game.plies.at(-1) : undefined,
            knock = (ply?.taken ?? ".") === "." ? KNOCK : CAPTURE;
        const knocks = [knock, ...(isOurs ? [knock] : []), ...(ply?.isCheck ? [CHECK] : [])];
        this.page.sound.knock(kind === "end" ? [KNOCK, KNOCK, KNOCK] : knocks);
    }

    /** @param {string} words */
    fail(words) {
        this.game.failure = words;
        this.alerted.textContent = words;
        this.status.textContent = words;
    }

    /* --- The reader --- */

    /** @param {KeyboardEvent} event */
    press(event) {
        const isTyping = /** @type {Element} */ (event.target).matches("input, textarea, select");
        if (isTyping || event.ctrlKey || event.altKey || event.metaKey) return;
        const { game } = this;
        const [at, last] = [game.at(), game.plies.length],
            to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
        if (game.trial !== null && event.key === "ArrowLeft") game.trial.back();
        else if (to !== undefined) {
            this.go(to);
            event.preventDefault();
        } else if (event.key === "Escape" && game.trial !== null) this.endTrial();
        else if (event.key === "Escape") this.choose(NO_CHOICE);
    }

    /** @param {number} ply */
    go(ply) {
        this.game.go(ply);
        this.moves.show(this.game.at());
        this.endTrial();
    }

    /** @param {Choice} choice */
    choose(choice) {
        this.game.choice = choice;
        this.render();
    }

    /** @param {number} point */
    async select(point) {
        const { game } = this;
        if (game.needsTrial() && game.mayTry()) await this.beginTrial();
        if (game.trial !== null || game.isLive())
            this.choose({ from: point, targets: game.targetsOf(point), blocker: null });
    }

    /** @param {number} point */
    pick(point) {
        const { game } = this,
            { from, targets } = game.choice;
        if (game.pending !== null && game.isLive()) return;
        const mayMove = game.mayMove(),
            isPiece = mayMove
                ? game.isOf(point, game.side)
                : game.shown.board[point] !== "." && (game.isLive() || game.mayTry());
        if (!mayMove && from !== null && targets.includes(point) && game.mayTry())
            this.tryMove(from, point);
        else if (isPiece && from !== point) this.select(point);
        else if (mayMove && from !== null && from !== point)
            this.send(`${pointName(from)}-${pointName(point)}`);
        else this.choose(NO_CHOICE);
    }

    /** @param {number} from @param {number | null} to */
    dropAt(from, to) {
        const { game } = this,
            isMove = game.mayMove() || game.needsTrial() || game.choice.targets.includes(to ?? -1);
        if (to === null || to === from || !isMove) this.select(from);
        else if (game.mayMove()) this.send(`${pointName(from)}-${pointName(to)}`);
        else this.tryMove(from, to);
    }

    /* The core says at once what the server would say. */
    /** @param {string} text */
    async send(text) {
        const { game } = this;
        const verdict = game.mayMove()
            ? this.core.judge(text)
            : { words: _("It is not your turn."), at: "-" };
        if (verdict === null)
            return this.refuse(_("That is not a move: type two points, like b0c2."));
        if (verdict.move === undefined) return this.refuse(verdict.words, verdict.at);
        game.pending = { ply: game.plies.length + 1, move: verdict.move };
        game.refusal = "";
        this.choose(NO_CHOICE);
        this.seat.typed.value = "";
        await this.sendPending();
    }

    /* The board shows the move already. It is done when its event comes, and goes again after a
     * lost connection. */
    async sendPending() {
        const { game } = this,
            { pending } = game;
        if (pending === null) return;
        const answer = await this.line.ask(`move game=${game.id} ${pending.ply} ${pending.move}`);
        if (answer === null || answer.ok || game.pending !== pending) return;
        game.pending = null;
        this.refuse(answer.human, answer.items.at);
    }

    /** @param {string} words @param {string} [at] */
    refuse(words, at = "-") {
        this.game.refusal = words;
        this.choose({ ...NO_CHOICE, blocker: at === "-" ? null : pointOf(at) });
    }

    /* --- Trying moves --- */

    /* At the position that is shown; not when the part of the page cannot be fetched, or the reader
     * has gone elsewhere meanwhile. */
    async beginTrial() {
        this.starting ??= this.makeTrial().finally(() => (this.starting = null));
        await this.starting;
    }

    async makeTrial() {
        const { game } = this,
            at = game.at(),
            part = await loadPart(this.core.files, "trial").catch(() => null);
        if (this.isClosed || at !== game.at()) return;
        if (part === null) return this.talk.note(_(PART_LOST));
        const trial = await part.Trial.begin(this);
        if (this.isClosed || at !== game.at()) return trial.close();
        game.trial = trial;
        this.choose(NO_CHOICE);
    }

    /** @param {number} from @param {number} to */
    async tryMove(from, to) {
        const { game } = this;
        if (game.trial === null) await this.beginTrial();
        if (game.trial === null) return;
        if (!game.trial.move(`${pointName(from)}-${pointName(to)}`) && game.trial.isFresh())
            this.endTrial();
    }

    /* Back to the game, at the position that the list of moves names. */
    endTrial() {
        this.game.trial?.close();
        this.game.trial = null;
        this.board.advise(null);
        this.choose(NO_CHOICE);
    }
}

/* A player's name, clock, points and what they took. */
class PlayerStrip {
    /** @param {Side} side */
    constructor(side) {
        this.side = side;
        this.name = el("span.name");
        this.rating = el("span.rating");
        this.away = el("span.away");
        this.taken = el("span.taken", { role: "img" });
        this.points = el("span.points");
        this.time = el("span");
        this.periods = el("small");
        this.clock = el("span.clock", { role: "timer", "aria-live": "off", hidden: true });
        this.clock.append(this.time, this.periods);
        this.badge = el("span.badge");
        const names = el("div", this.name, this.rating, this.away),
            who = el("div.who", names, el("div.below", this.points, this.taken));
        this.element = el("div", { class: "player " + side }, this.badge, who, this.clock);
    }

    /** @param {Game} game @param {string} style of the pieces */
    render(game, style) {
        const { side } = this,
            { start, shown } = game,
            isOver = shown.phase === "over",
            points = (shown.points ?? "").split("/")[side === "red" ? 0 : 1];
        const other = side === "red" ? "blue" : "red",
            taken = start.position === undefined ? [...takenFrom(shown.board, other)] : [];
        const icon = (/** @type {string} */ letter) => pieceIcon(letter, plainStyle(style));
        this.name.textContent = this.name.title = start[side];
        this.rating.textContent = game.ratings[side];
        this.away.textContent = game.isAway[side] ? _("away") : "";
        this.element.classList.toggle("turn", !isOver && game.turn() === side);
        this.element.classList.toggle("winner", isOver && game.state.outcome === side);
        this.points.textContent = points ? fill(_("{points} points"), { points }) : "";
        refill(this.badge, [icon(side === "red" ? "K" : "k")]);
        refill(this.taken, taken.map(icon));
        const names = taken.map(kindName).join(", "),
            words = names === "" ? _("took nothing") : fill(_("took {names}"), { names });
        this.taken.setAttribute("aria-label", words);
    }

    /** @param {Clocks} clocks */
    renderClock(clocks) {
        const left = clocks.shown(this.side),
            isRunning = clocks.running === this.side;
        if (left === null) return;
        const periods = left.more === 0 ? "" : `${left.more} × ${clockWords(clocks.periodMs)}`,
            words = clockWords(left.ms, isRunning && left.ms < LOW_MS);
        this.clock.hidden = false;
        if (this.time.textContent !== words) this.time.textContent = words;
        if (this.periods.textContent !== periods) this.periods.textContent = periods;
        this.clock.classList.toggle("running", isRunning);
        const isLast = left.inPeriod || left.periods === 0;
        this.clock.classList.toggle("low", left.ms < 20000 && isLast);
    }
}
