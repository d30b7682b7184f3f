/* A game that the reader plays: set-up, moves, offers, the end. For a reader who only watches,
 * it is a Table. */

/** @type {Record<string, [string, string]>} */
const OFFERS = {
    draw: [N_("You offer a draw."), N_("{name} offers a draw.")],
    takeback: [N_("You ask to go back to move {to}."), N_("{name} asks to go back to move {to}.")],
    abort: [
        N_("You ask to end the game without a result."),
        N_("{name} asks to end the game without a result."),
    ],
    adjourn: [N_("You ask to adjourn the game."), N_("{name} asks to adjourn the game.")],
    continue: [N_("You ask to go on."), N_("{name} asks to go on.")],
    rematch: [N_("You ask for another game."), N_("{name} asks for another game.")],
};

/** @param {string} text @param {() => unknown} onclick @param {boolean} [isMain] */
function actionButton(text, onclick, isMain) {
    return el("button", { type: "button", class: isMain ? "main tool" : "tool", text, onclick });
}

class Seat extends Table {
    /** @param {Core} core @param {Host} line @param {string} game @param {Page} page */
    constructor(core, line, game, page) {
        super(core, line, game, page);
        /** @type {Side | null} */
        this.side = null;
        /** @type {Map<string, Items>} */
        this.offers = new Map();
        this.sound = page.sound;
        this.canClaim = this.neverAdjourns = false;
        /** @type {string | undefined} */
        this.nextGame = undefined;
        this.shownOffers = "";
        this.warnedAt = 0;
        /** @type {{ ply: number, move: string } | null} */
        this.pending = null; /* a move that has no answer yet */
        this.refusal = el("p", { class: "refusal", role: "status" });
        this.typed = el("input", {
            type: "text",
            autocomplete: "off",
            autocapitalize: "off",
            spellcheck: "false",
            placeholder: "b0c2",
            "aria-label": _("Type a move, like b0c2, or pass"),
        });
        this.passing = actionButton(_("Pass"), () => this.send("pass"));
        this.typing = el(
            "form",
            { class: "typing", onsubmit: (event) => this.type(event) },
            this.typed,
            el("button", { type: "submit", class: "tool", text: _("Move") }),
            this.passing,
        );
        this.hint = el("p", { class: "faint hint" });
        this.asked = el("div", { class: "asked", "aria-live": "polite" });
        this.lineups = el("div", { class: "lineups" });
        this.keeping = el("div");
        this.knocking = el("button", {
            type: "button",
            class: "tool",
            "aria-pressed": String(this.sound.isOn),
            text: _("Sound"),
            onclick: () => this.toggleSound(),
        });
        this.alerting = el("button", {
            type: "button",
            class: "tool",
            "aria-pressed": String(this.page.alerts.isOn),
            text: _("Alerts"),
            hidden: !this.page.alerts.isPossible,
            onclick: () => this.toggleAlerts(),
        });
        this.element.querySelector(".tools")?.prepend(this.knocking, this.alerting);
        this.strip.after(this.refusal, this.hint, this.lineups, this.typing, this.asked);
        this.watchers.after(this.keeping);
        this.typing.hidden = this.lineups.hidden = this.hint.hidden = true;
    }

    /* The reader's name in this game. */
    get me() {
        return this.page.name;
    }

    toggleSound() {
        this.sound.toggle();
        this.knocking.setAttribute("aria-pressed", String(this.sound.isOn));
    }

    async toggleAlerts() {
        this.alerting.setAttribute("aria-pressed", String(await this.page.alerts.toggle()));
    }

    forgetOffers() {
        this.offers.clear();
        this.renderActions();
    }

    /** @param {Parsed} event */
    fold(event) {
        super.fold(event);
        if (event.words[0] === "start") this.sitDown(event.items);
        if (["move", "takeback", "end"].includes(event.words[0])) this.refusal.textContent = "";
        if (event.words[0] === "move" && Number(event.words[1]) >= (this.pending?.ply ?? Infinity))
            this.pending = null;
    }

    /** @param {Items} start */
    sitDown(start) {
        this.side = SIDES.find((side) => start[side] === this.me) ?? null;
        if (this.side === null) return;
        this.board.element.classList.add("played");
        this.talk.as("say");
        this.talk.form.hidden = start.talk === "no";
        if ((this.side === "blue") !== this.board.isFlipped) this.turn();
    }

    /** @param {Parsed} news */
    takeNews(news) {
        const [kind, id] = news.words;
        super.takeNews(news);
        if (kind === "offer") this.takeOffer(id, news.items);
        else if (kind === "gone") this.offers.delete(id);
        else if (kind === "claim") {
            this.canClaim = news.items.side !== this.side;
            this.neverAdjourns = news.items.adjourn === "no";
        } else if (kind === "presence" && news.items.here === "1" && news.items.side !== this.side)
            this.canClaim = false;
        else return;
        this.keepFocus(() => this.renderActions());
    }

    /** @param {string} id @param {Items} offer */
    takeOffer(id, offer) {
        this.offers.set(id, offer);
        if (offer.by !== this.me) this.page.alerts.tell(document.title, this.offerWords(offer));
    }

    /* A player who looks at an ended game gets a link to the running one. */
    /** @param {string} game */
    showNext(game) {
        if (this.side === null) super.showNext(game);
        else if (this.cameLate) this.nextGame = game;
        else this.page.goTo(game);
    }

    /* --- Whose turn --- */

    isOurTurn() {
        if (this.side === null) return false;
        return this.isSealed() ? !this.sealed[this.side] : this.state.turn === this.side;
    }

    mayMove() {
        return (
            this.isOurTurn() &&
            this.state.phase === "play" &&
            this.isLive() &&
            this.pending === null
        );
    }

    /** @param {number} point */
    isOwn(point) {
        const letter = this.state.board?.[point] ?? ".";
        return letter !== "." && sideOf(letter) === this.side;
    }

    /** @param {number} point */
    mayDrag(point) {
        return this.mayMove() ? this.isOwn(point) : super.mayDrag(point);
    }

    mayTry() {
        return (
            super.mayTry() &&
            (this.side === null || this.state.phase === "over" || this.trial !== null)
        );
    }

    /* --- Moves --- */

    /** @param {number} point */
    pick(point) {
        if (this.pending !== null && this.isLive()) return;
        if (!this.mayMove()) return super.pick(point);
        const from = this.board.selected;
        if (this.isOwn(point) && from !== point) this.select(point);
        else if (from !== null && from !== undefined && from !== point)
            this.send(`${pointName(from)}-${pointName(point)}`);
        else this.board.mark(null, [], null);
    }

    /** @param {number} from @param {number | null} to */
    dropAt(from, to) {
        if (!this.mayMove()) super.dropAt(from, to);
        else if (to === null || to === from) this.select(from);
        else this.send(`${pointName(from)}-${pointName(to)}`);
    }

    /** @param {Event} event */
    type(event) {
        event.preventDefault();
        if (this.typed.value.trim() !== "") this.send(this.typed.value.trim());
    }

    /* The core says at once what the server would say. */
    /** @param {string} text */
    async send(text) {
        const verdict = this.mayMove()
            ? this.core.judge(text)
            : { words: _("It is not your turn.") };
        if (verdict === null)
            return this.refuse(_("That is not a move: type two points, like b0c2."), null);
        if (verdict.move === undefined) return this.refuse(verdict.words, verdict.at);
        this.typed.value = "";
        this.pending = { ply: this.moves.plies.length + 1, move: verdict.move };
        this.refusal.textContent = "";
        this.render();
        await this.sendPending();
    }

    /* The board shows the move already. It is done when its event comes, and goes again after a
     * lost connection. */
    async sendPending() {
        const { pending } = this;
        if (pending === null) return;
        const answer = await this.line.ask(`move game=${this.game} ${pending.ply} ${pending.move}`);
        if (answer === null || answer.ok || this.pending !== pending) return;
        this.pending = null;
        this.render();
        this.refuse(answer.human, answer.items.at);
    }

    /** @param {Items} state */
    position(state) {
        const position = super.position(state),
            move = this.isLive() ? pointsOf(this.pending?.move) : null;
        if (move === null) return position;
        const cells = [...position.cells];
        cells[move.to] = cells[move.from];
        cells[move.from] = ".";
        return { cells: cells.join(""), last: move, isCheck: false, isPending: true };
    }

    /** @param {string} words @param {string | null | undefined} at */
    refuse(words, at) {
        this.refusal.textContent = words;
        this.board.mark(null, [], at && at !== "-" ? pointOf(at) : null);
    }

    /** @param {Answer} answer */
    takeAnswer(answer) {
        super.takeAnswer(answer);
        if (this.pending !== null) this.sendPending();
    }

    /* --- Showing --- */

    render() {
        this.keepFocus(() => this.renderSeat());
    }

    renderSeat() {
        super.render();
        if (this.side === null || this.state.phase === undefined) return;
        const isChoosing = this.state.phase === "setup" && this.isOurTurn();
        if (isChoosing && this.lineups.hidden) this.offerLineups();
        this.lineups.hidden = !isChoosing;
        this.typing.hidden = this.state.phase !== "play";
        this.hint.textContent = isChoosing
            ? fill(
                  _("The line-ups differ only in where the knights {n} and the bishops {b} stand."),
                  { n: this.sign("N"), b: this.sign("B") },
              )
            : _(
                  "Choose a piece: green marks show where it can go. Choose one of them, or drag the piece there.",
              );
        this.hint.hidden = !isChoosing && (!this.mayMove() || this.moves.plies.length > 1);
        this.passing.hidden = !this.mayMove() || !this.core.moves().includes("pass");
        this.renderActions();
        if (this.state.phase === "over") this.remind();
    }

    /* After the game there is time to save the name's line. */
    remind() {
        const note = this.page.entry.isKept === false ? null : this.page.entry.reminder();
        if (note !== null && this.keeping.childElementCount === 0) this.keeping.append(note);
    }

    statusWords() {
        const words = super.statusWords();
        if (this.side === null || !this.isLive() || !["play", "setup"].includes(this.state.phase))
            return words;
        if (this.state.phase === "setup" && this.isOurTurn()) return _("Choose your line-up");
        if (this.isSealed()) return _("Your line-up is hidden until both have chosen");
        if (this.state.phase === "setup") return words;
        if (!this.isOurTurn()) return words;
        if (this.pending !== null && !this.line.isOpen)
            return _("Your move will be sent when the connection is back.");
        if (this.pending !== null) return _("Your move is being sent …");
        return this.state.check === "none"
            ? _("Your turn")
            : this.state.check === "kings"
              ? _("Your turn; the kings are bare")
              : _("Your turn; you are in check");
    }

    offerLineups() {
        /** @param {string} lineup */
        const rank = (lineup) =>
            [...("R" + lineup.slice(0, 2) + "G"), ...("G" + lineup.slice(2) + "R")].map((letter) =>
                this.side === "red" ? letter : letter.toLowerCase(),
            );
        /** @param {string} lineup */
        const choice = (lineup) => {
            const letters = this.board.isFlipped ? rank(lineup).reverse() : rank(lineup);
            return el(
                "button",
                {
                    type: "button",
                    class: "lineup",
                    "aria-label": [...lineup].map(kindName).join(", "),
                    onclick: () => this.do(`setup game=${this.game} ${lineup}`),
                },
                el(
                    "span",
                    { class: "rank" },
                    ...letters.map((letter) =>
                        pieceIcon(letter, this.board.style === "both" ? "hanja" : this.board.style),
                    ),
                ),
            );
        };
        this.lineups.replaceChildren(...LINEUPS.map(choice));
    }

    /** @param {string} letter */
    sign(letter) {
        return signOf(
            this.side === "red" ? letter : letter.toLowerCase(),
            this.board.style === "both" ? "hanja" : this.board.style,
        );
    }

    /* Sends a command and shows a refusal. */
    /** @param {string} command */
    async do(command) {
        const answer = await this.line.ask(command);
        if (answer !== null) this.refusal.textContent = answer.ok ? "" : answer.human;
        return answer;
    }

    renderActions() {
        if (this.side === null) return;
        /** @param {string} words @param {string} command */
        const act = (words, command) =>
            actionButton(words, () => this.do(`${command} game=${this.game}`));
        const phase = this.state.phase,
            buttons = [];
        if (phase === "play" || phase === "setup") {
            buttons.push(actionButton(_("Resign"), () => this.askToResign()));
            if (phase === "play") buttons.push(act(_("Offer a draw"), "draw"));
            if (this.moves.plies.length > 0 && this.start.takebacks !== "no")
                buttons.push(act(_("Take back"), "takeback"));
            if (phase === "play" && !this.neverAdjourns) buttons.push(act(_("Adjourn"), "adjourn"));
            buttons.push(act(_("Abort"), "abort"));
        }
        if (phase === "play" && this.canClaim)
            buttons.push(
                actionButton(_("Claim the win"), () => this.do(`claim game=${this.game} win`)),
                actionButton(_("Claim a draw"), () => this.do(`claim game=${this.game} draw`)),
            );
        if (phase === "adjourned")
            buttons.push(
                act(_("Go on"), "continue"),
                actionButton(_("Resign"), () => this.askToResign()),
            );
        if (phase === "over" && this.nextGame !== undefined)
            buttons.push(
                el("a", {
                    class: "button",
                    href: "/game/" + this.nextGame,
                    text: _("To your running game"),
                }),
            );
        else if (
            phase === "over" &&
            this.state.reason !== "aborted" &&
            ![...this.offers.values()].some(({ kind }) => kind === "rematch")
        )
            buttons.push(
                actionButton(_("Play again"), () => this.do("rematch game=" + this.game), true),
            );
        this.showActions(buttons);
        this.renderOffers();
    }

    /* The focus stays in its place. */
    /** @param {HTMLElement[]} buttons */
    showActions(buttons) {
        const had = [...this.actions.children].findIndex((each) => each === document.activeElement);
        this.actions.replaceChildren(...buttons);
        if (had >= 0) buttons[Math.min(had, buttons.length - 1)]?.focus();
    }

    /* Leaves the offers that are shown in place: a screen reader would say them again, and a
     * button would lose the focus. */
    renderOffers() {
        const offers = JSON.stringify([...this.offers]);
        if (offers === this.shownOffers) return;
        this.shownOffers = offers;
        /** @param {[string, Items]} what */
        const row = ([id, offer]) => {
            const isOurs = offer.by === this.me,
                words = this.offerWords(offer);
            const answers = isOurs
                ? [actionButton(_("Withdraw"), () => this.do("withdraw " + id))]
                : [
                      actionButton(_("Accept"), () => this.do("accept " + id), true),
                      actionButton(_("Decline"), () => this.do("decline " + id)),
                  ];
            return el("p", { class: "offer" }, el("span", { text: words + " " }), ...answers);
        };
        this.asked.replaceChildren(...[...this.offers].map(row));
    }

    /** @param {Items} offer */
    offerWords(offer) {
        const words = OFFERS[offer.kind]?.[offer.by === this.me ? 0 : 1] ?? offer.kind;
        return fill(_(words), { name: offer.by, to: offer.to });
    }

    askToResign() {
        const yes = actionButton(
            _("Resign the game"),
            () => this.do("resign game=" + this.game),
            true,
        );
        this.actions.replaceChildren(
            el("span", { text: _("Do you resign?") }),
            yes,
            actionButton(_("No"), () => this.renderActions()),
        );
        yes.focus();
    }

    /** @param {string} kind */
    onHeard(kind) {
        if (this.side !== null && (kind === "end" || this.isOurTurn()))
            this.page.alerts.tell(document.title, this.statusWords());
        const ply = kind === "move" ? this.moves.plies.at(-1) : undefined,
            knock = (ply?.taken ?? ".") === "." ? KNOCK : CAPTURE;
        this.sound.knock(
            kind === "end"
                ? [KNOCK, KNOCK, KNOCK]
                : [knock, ...(this.isOurTurn() ? [knock] : []), ...(ply?.isCheck ? [CHECK] : [])],
        );
    }

    /* Once for each of our turns that becomes short. */
    tick() {
        super.tick();
        const left =
            this.side !== null && this.clocks.running === this.side
                ? this.clocks.shown(this.side)
                : null;
        const isLow = left !== null && left.more === 0 && left.ms > 0 && left.ms < LOW_MS;
        if (isLow && this.warnedAt !== this.next) this.sound.knock([LOW_TIME]);
        if (isLow) this.warnedAt = this.next;
    }
}
