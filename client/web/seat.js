/* What a player has more than a watcher: line-ups, moves that are typed, offers, the end. A part of
 * the table; for a watcher most of it is hidden. */

/** @param {string} text @param {() => unknown} onclick @param {boolean} [isMain] */
function actionButton(text, onclick, isMain) {
    return el("button", { type: "button", class: isMain ? "main tool" : "tool", text, onclick });
}

/** @param {string} text @param {string} href */
function linkButton(text, href) {
    return el("a.button", { href, text });
}

class Seat {
    /** @param {Table} table */
    constructor(table) {
        this.table = table;
        this.game = table.game;
        this.refusal = el("p.refusal", { role: "status" });
        this.hint = el("p.faint.hint", { hidden: true });
        this.lineups = el("div.lineups", { hidden: true });
        this.typed = field({
            autocapitalize: "off",
            spellcheck: "false",
            placeholder: "b0c2",
            "aria-label": _("Type a move, like b0c2, or pass"),
        });
        this.passing = actionButton(_("Pass"), () => table.send("pass"));
        const send = () => this.typed.value.trim() !== "" && table.send(this.typed.value.trim());
        this.typing = form("form.typing", send, this.typed, submitter(_("Move")), this.passing);
        this.typing.hidden = true;
        this.asked = el("div.asked", { "aria-live": "polite" });
        this.elements = [this.refusal, this.hint, this.lineups, this.typing, this.asked];
        this.actions = el("div.actions");
        this.keeping = el("div");
    }

    /* The buttons for sounds and notifications. */
    switches() {
        const { sound, alerts } = this.table.page;
        return [
            this.switch(_("Sound"), sound, true),
            this.switch(_("Alerts"), alerts, alerts.isPossible),
        ];
    }

    /** @param {string} text @param {Sound | Alerts} what @param {boolean} isPossible */
    switch(text, what, isPossible) {
        const show = () => button.setAttribute("aria-pressed", String(what.isOn));
        const button = actionButton(text, () => Promise.resolve(what.toggle()).then(show));
        show();
        button.hidden = !isPossible;
        return button;
    }

    /* Sends a command and shows a refusal. */
    /** @param {string} command */
    async do(command) {
        const answer = await this.table.line.ask(command);
        if (answer !== null) this.game.refusal = answer.ok ? "" : answer.human;
        this.table.render();
        return answer;
    }

    /** @param {Game} game */
    render(game) {
        const { phase } = game.state,
            isPlayer = game.side !== null,
            style = plainStyle(this.table.board.style),
            isChoosing = phase === "setup" && game.isOurTurn();
        this.refusal.textContent = game.refusal;
        this.lineups.hidden = !isChoosing;
        if (isChoosing) refill(this.lineups, LINEUPS.map(this.lineup, this));
        this.typing.hidden = !isPlayer || phase !== "play";
        this.passing.hidden = !game.mayMove() || !this.table.core.moves().includes("pass");
        this.hint.hidden = !isChoosing && (!game.mayMove() || game.plies.length > 1);
        this.hint.textContent = isChoosing
            ? fill(
                  _("The line-ups differ only in where the knights {n} and the bishops {b} stand."),
                  { n: signOf(this.own("N"), style), b: signOf(this.own("B"), style) },
              )
            : _(
                  "Choose a piece: green marks show where it can go. Choose one of them, or drag the piece there.",
              );
        refill(this.actions, isPlayer ? this.buttons() : this.wayOn());
        refill(this.asked, [...game.offers].map(this.offer, this));
        if (!isPlayer || phase !== "over" || this.keeping.childElementCount > 0) return;
        const { entry } =
            this.table.page; /* after the game there is time to save the name's line */
        if (entry.isKept !== false) this.keeping.append(entry.reminder() ?? "");
    }

    /** @param {string} letter */
    own(letter) {
        return this.game.side === "red" ? letter : letter.toLowerCase();
    }

    /** @param {string} lineup */
    lineup(lineup) {
        const rank = [...`R${lineup.slice(0, 2)}GG${lineup.slice(2)}R`],
            style = plainStyle(this.table.board.style);
        if (this.table.board.isFlipped) rank.reverse();
        return el(
            "button.lineup",
            {
                type: "button",
                "aria-label": [...lineup].map(kindName).join(", "),
                onclick: () => this.do(`setup game=${this.game.id} ${lineup}`),
            },
            el("span.rank", ...rank.map((letter) => pieceIcon(this.own(letter), style))),
        );
    }

    /* What a player may do. */
    buttons() {
        const { game } = this,
            { phase } = game.state;
        const act = (/** @type {string} */ words, /** @type {string} */ command, isMain = false) =>
            actionButton(words, () => this.do(`${command} game=${game.id}`), isMain);
        const resign = actionButton(_("Resign"), () => this.askToResign(true));
        const claim = (/** @type {string} */ words, /** @type {string} */ what) =>
            actionButton(words, () => this.do(`claim game=${game.id} ${what}`));
        if (game.isResigning)
            return [
                el("span", _("Do you resign?")),
                act(_("Resign the game"), "resign", true),
                actionButton(_("No"), () => this.askToResign(false)),
            ];
        const own = this.table.line.buttons?.(this, resign);
        if (own !== undefined) return own;
        const isPlay = phase === "play",
            isRunning = isPlay || phase === "setup",
            isAdjourned = phase === "adjourned",
            isTakeback = isRunning && game.plies.length > 0 && game.start.takebacks !== "no",
            isRematch = [...game.offers.values()].some(({ kind }) => kind === "rematch"),
            isEnd = phase === "over" && game.state.reason !== "aborted" && !isRematch;
        return [
            isRunning && resign,
            isPlay && act(_("Offer a draw"), "draw"),
            isTakeback && act(_("Take back"), "takeback"),
            isPlay && !game.neverAdjourns && act(_("Adjourn"), "adjourn"),
            isRunning && act(_("Abort"), "abort"),
            game.mayClaim() && claim(_("Claim the win"), "win"),
            game.mayClaim() && claim(_("Claim a draw"), "draw"),
            isAdjourned && act(_("Go on"), "continue"),
            isAdjourned && resign,
            game.nextGame !== undefined
                ? linkButton(_("To your running game"), "/game/" + game.nextGame)
                : isEnd && act(_("Play again"), "rematch", true),
        ].filter((button) => button !== false);
    }

    /* A watcher's way to the next game. */
    wayOn() {
        const { game } = this;
        if (game.nextGame === undefined) return [];
        const way = linkButton(_("Watch the next game"), "/game/" + game.nextGame);
        if (game.cameLate) return [el("span", _("The players play again.")), way];
        /** @type {HTMLInputElement} */
        const follow = el("input", {
            type: "checkbox",
            onchange: () => {
                game.follows = follow.checked;
                remember("follow", game.follows ? "on" : "off");
                this.table.followLater();
            },
        });
        follow.checked = game.follows;
        return [way, el("label.choice", follow, _("Show their next games too"))];
    }

    /** @param {boolean} isResigning */
    askToResign(isResigning) {
        this.game.isResigning = isResigning;
        this.table.render();
        if (isResigning) /** @type {HTMLElement} */ (this.actions.children[1]).focus();
    }

    /** @param {[id: string, offer: Items]} what */
    offer([id, offer]) {
        const accept = actionButton(_("Accept"), () => this.do("accept " + id), true),
            decline = actionButton(_("Decline"), () => this.do("decline " + id)),
            withdraw = actionButton(_("Withdraw"), () => this.do("withdraw " + id)),
            answers = offer.by === this.game.me ? [withdraw] : [accept, decline];
        const words = el("span", this.game.offerWords(offer) + " ");
        return el("p.offer", { "data-id": id }, words, ...answers);
    }
}
