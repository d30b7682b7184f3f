/* The state of a game as the page knows it: the fold of its events, what else the server has said,
 * and what the reader does with it. What is visible is a function of this (table.js, seat.js). */

const LOW_MS = 10000;

class Game {
    /** @param {Core} core @param {Host} host @param {string} id @param {string} me */
    constructor(core, host, id, me) {
        core.clear();
        this.core = core;
        this.host = host;
        this.id = id;
        this.me = me; /* the reader's name in this game */
        this.code = ""; /* of a private game */
        this.next = 0; /* number of the next event */
        this.expected = 1; /* the number of events that exist; nothing is drawn before the last */
        /** @type {Items} */
        this.start = {};
        /** @type {Side | null} */
        this.side = null; /* the reader's */
        /** @type {Parsed | null} */
        this.lastEvent = null;
        this.clocks = new Clocks("none");
        /** @type {Ply[]} */
        this.plies = [];
        this.knownPlies = 0;
        /** @type {number | null} */
        this.ply = null; /* the position that the reader looks at; null: the newest */
        /** @type {import("./trial.js").Trial | null} */
        this.trial = null; /* the reader's own board */
        /** @type {Items} */
        this.state = {}; /* what the core says of that position */
        /** @type {Items} */
        this.shown = {}; /* the same of what the board shows, which may be the trial */
        this.choice = NO_CHOICE;
        /** @type {{ ply: number, move: string } | null} */
        this.pending = null; /* a move that has no answer yet */
        this.refusal = "";
        this.failure = ""; /* the page no longer follows the game */
        /** @type {Map<string, Items>} */
        this.offers = new Map();
        /** @type {Record<string, boolean>} */
        this.sealed = {}; /* the sides whose line-up waits for the other side's */
        /** @type {number | undefined} */
        this.chooseUntil = undefined; /* the end of the time for a line-up */
        this.claimable = ""; /* the side that was away for so long */
        this.neverAdjourns = this.isResigning = false;
        /** @type {boolean | undefined} */
        this.cameLate = undefined; /* after the end */
        /** @type {string | undefined} */
        this.nextGame = undefined; /* the rematch */
        this.follows = false; /* a watcher, to that game */
        this.ratings = { red: "", blue: "" };
        this.isAway = { red: false, blue: false };
    }

    /* --- The fold --- */

    isWhole() {
        return this.next > 0 && this.next >= this.expected;
    }

    /* The next event; false: it does not follow. */
    /** @param {string} text */
    take(text) {
        if (!this.core.apply(text)) return false;
        const event = parseLine("event " + text),
            [kind, number, side] = event.words;
        this.next++;
        this.lastEvent = event;
        this.choice = NO_CHOICE;
        this.isResigning = false;
        if (kind === "start") this.begin(event.items);
        if (kind === "takeback") this.knownPlies = Math.min(this.knownPlies, Number(number));
        if (kind === "move") this.clocks.take(event.items, side === "red" ? "blue" : "red", true);
        else if (kind === "end") this.clocks.stop();
        else this.clocks.take(event.items, "none", true);
        if (["move", "takeback", "end"].includes(kind)) this.refusal = "";
        if (kind === "move" && Number(number) >= (this.pending?.ply ?? Infinity))
            this.pending = null;
        return true;
    }

    /** @param {Items} start */
    begin(start) {
        this.start = start;
        this.clocks = new Clocks(start.time);
        this.side = SIDES.find((side) => start[side] === this.me) ?? null;
    }

    /* The other player has been away for so long that the reader may end the game. */
    mayClaim() {
        return this.state.phase === "play" && this.claimable !== "" && this.claimable !== this.side;
    }

    /* All known events have come. */
    /** @param {Items} [clock] */
    catchUp(clock) {
        this.plies = this.plies
            .slice(0, this.knownPlies)
            .concat(this.core.plies(this.knownPlies + 1));
        this.knownPlies = this.plies.length;
        if (this.ply !== null && this.ply > this.plies.length) this.ply = null;
        if (clock?.running) this.clocks.take(clock, clock.running, false);
        this.cameLate ??= this.lastEvent?.words[0] === "end";
    }

    /* at: when that was said. */
    /** @param {Parsed} news @param {number} [at] */
    takeNews({ words: [kind, id], items }, at = performance.now()) {
        if (kind === "clock") this.clocks.take(items, items.running, false);
        else if (kind === "setup") this.takeSetup(items, at);
        else if (kind === "offer") this.offers.set(id, items);
        else if (kind === "gone") this.offers.delete(id);
        else if (kind === "claim") {
            this.claimable = items.side;
            this.neverAdjourns = items.adjourn === "no";
        } else if (kind === "presence" && (items.side === "red" || items.side === "blue")) {
            this.isAway[items.side] = items.here !== "1";
            if (items.here === "1" && items.side === this.claimable) this.claimable = "";
        }
    }

    /* Takes how long a side had, at that time, to choose a line-up, or that it has chosen one
     * that is still hidden. */
    /** @param {Items} items @param {number} at */
    takeSetup(items, at) {
        this.sealed[items.side] = items.sealed !== undefined;
        if (items.sealed === undefined)
            this.chooseUntil = items.left_ms === undefined ? undefined : at + Number(items.left_ms);
    }

    /* --- What the reader looks at --- */

    at() {
        return this.ply ?? this.plies.length;
    }

    /** @param {number} ply */
    go(ply) {
        const to = Math.max(0, Math.min(this.plies.length, ply));
        this.ply = to === this.plies.length ? null : to;
        this.choice = NO_CHOICE;
    }

    isLive() {
        return this.trial === null && this.ply === null;
    }

    look() {
        this.state = this.core.state(this.ply ?? -1);
        this.shown = this.trial?.state() ?? this.state;
    }

    /* The side to move in the position that is shown. */
    turn() {
        const { shown } = this;
        return this.isLive() && shown.phase !== "over" ? shown.turn : (shown.side ?? shown.turn);
    }

    /* --- Whose turn --- */

    /* Both choose a line-up, at the same time. */
    isSealed() {
        return this.state.phase === "setup" && this.start.sealed === "yes";
    }

    isOurTurn() {
        if (this.side === null) return false;
        return this.isSealed() ? !this.sealed[this.side] : this.state.turn === this.side;
    }

    mayMove() {
        const isPlay = this.state.phase === "play" && this.isLive();
        return isPlay && this.isOurTurn() && this.pending === null;
    }

    /* On a board of their own; not a player whose game runs: there the board is the game. */
    mayTry() {
        const { phase } = this.state,
            isFree = this.side === null || phase === "over" || this.trial !== null;
        return isFree && ["play", "adjourned", "over"].includes(phase);
    }

    /* Of the core of the game only the moves of a running position are known. */
    needsTrial() {
        return this.trial === null && (!this.isLive() || this.state.phase !== "play");
    }

    /* True if a piece of that side stands there. */
    /** @param {number} point @param {string | null} side */
    isOf(point, side) {
        const letter = this.shown.board?.[point] ?? ".";
        return letter !== "." && sideOf(letter) === side;
    }

    /** @param {number} point */
    mayDrag(point) {
        if (this.mayMove()) return this.isOf(point, this.side);
        return this.mayTry() && this.isOf(point, this.turn());
    }

    /* Everybody may look at the legal moves of the side to move. */
    /** @param {number} point */
    targetsOf(point) {
        const moves = (this.trial?.core ?? this.core).moves().map(pointsOf);
        return moves.flatMap((move) => (move?.from === point ? move.to : []));
    }

    /* --- What is shown --- */

    /* The board, on which a move without an answer is made already. */
    position() {
        const { shown } = this,
            cells = shown.phase === "setup" ? this.lineups() : shown.board,
            move = this.isLive() ? pointsOf(this.pending?.move) : null,
            isCheck = shown.check === "piece" || shown.check === "both";
        if (move === null) return { cells, last: pointsOf(shown.last), isCheck };
        const moved = [...cells];
        moved[move.to] = moved[move.from];
        moved[move.from] = ".";
        return { cells: moved.join(""), last: move, isPending: true };
    }

    /* Before the game: the line-ups that are chosen, and empty points for one that is not. */
    lineups() {
        const { board, red_lineup = "....", blue_lineup = "...." } = this.shown;
        const cells = [...board],
            letters = red_lineup.toUpperCase() + blue_lineup.toLowerCase();
        [1, 2, 6, 7, 82, 83, 87, 88].forEach((point, i) => (cells[point] = letters[i]));
        return cells.join("");
    }

    words() {
        const { state } = this,
            side = this.turn();
        const values = {
            side: side === "none" ? "" : _(side === "red" ? "Red" : "Blue"),
            n: state.ply,
            all: this.plies.length,
        };
        if (this.failure !== "") return this.failure;
        if (this.trial !== null) return fill(_("On a board of your own: {side} to move"), values);
        if (!this.isLive()) return fill(_("After move {n} of {all}"), values);
        if (state.phase === "over") return state.words;
        if (state.phase === "adjourned") return _("The game is adjourned.");
        if (state.phase === "setup" && this.isOurTurn()) return _("Choose your line-up");
        if (this.isSealed())
            return this.side === null
                ? _("Both choose a line-up")
                : _("Your line-up is hidden until both have chosen");
        if (state.phase === "setup") return fill(_("{side} chooses a line-up"), values);
        if (this.isOurTurn()) return this.turnWords();
        if (this.host.thinks !== undefined) return this.host.thinks;
        if (state.check === "kings" || state.check === "both")
            return fill(_("{side} to move; the kings are bare"), values);
        const isCheck = state.check === "piece";
        return fill(isCheck ? _("{side} to move, in check") : _("{side} to move"), values);
    }

    turnWords() {
        if (this.pending !== null)
            return this.host.isOpen
                ? _("Your move is being sent …")
                : _("Your move will be sent when the connection is back.");
        const { check } = this.state;
        if (check === "none") return _("Your turn");
        if (check === "kings") return _("Your turn; the kings are bare");
        return _("Your turn; you are in check");
    }

    title() {
        const isTurn = this.isOurTurn() && this.state.phase === "play";
        return `${isTurn ? "● " : ""}${this.start.red} – ${this.start.blue} · ${_("Janggi")}`;
    }

    /** @param {Items} offer */
    offerWords(offer) {
        const words = OFFERS[offer.kind]?.[offer.by === this.me ? 0 : 1] ?? offer.kind;
        return fill(_(words), { name: offer.by, to: offer.to });
    }

    /* The time of the reader's turn is short. */
    isLow() {
        const isRunning = this.side !== null && this.clocks.running === this.side,
            left = this.side !== null && isRunning ? this.clocks.shown(this.side) : null;
        return left !== null && left.more === 0 && left.ms > 0 && left.ms < LOW_MS;
    }
}

/* What the reader has chosen on the board, where it may go, and a point that explains a refusal. */
/** @type {Choice} */
const NO_CHOICE = { from: null, targets: [], blocker: null };

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
