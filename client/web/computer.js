/* A game against the computer, in this browser alone: a worker is the referee and the opponent
 * (analyse.js), and stands in for the server, so that the game goes on while there is no
 * connection. The page fetches this module when somebody wants to play; it uses the names of
 * page.js. */

const LEVELS = 10;
/** @type {Settings} */
const USUAL = { level: 3, rules: "martin", side: "red" };

/* What Seat takes for its connection. */
class Home {
    /** @param {Page} page @param {Omit<Task, "files">} game */
    constructor(page, game) {
        this.isOpen = true;
        this.isHome = true; /* there is no server that has a record */
        /** @type {((answer: Reply) => void)[]} */
        this.waiting = [];
        /** @type {ComputerSeat | null} */
        this.table = null;
        this.worker = new Worker(new URL("analyse.js", page.files));
        this.worker.onmessage = ({ data }) => this.take(data);
        this.worker.onerror = () => this.take({ error: "worker" });
        this.worker.postMessage({ ...game, files: String(page.files) });
    }

    /* "move game=home 3 B0-C2" and the like; whatever else a table asks a server has no answer
     * here. */
    /** @param {string} command */
    ask(command) {
        const words = command.split(" "),
            verb = words[0];
        if (!["setup", "move", "resign", "takeback", "hint"].includes(verb))
            return Promise.resolve(null);
        return new Promise((done) => {
            this.waiting.push(done);
            this.worker.postMessage({ verb, text: words.at(-1) });
        });
    }

    /** @param {Reaction} what */
    take({ events = [], answer, error }) {
        if (error !== undefined)
            return this.table?.fail(_("The computer has failed. Load the page again."));
        if (this.table === null) return;
        for (const event of events) this.table.takeEvent(this.table.next, event);
        if (events.length > 0) keep(this.table);
        if (answer !== undefined)
            this.waiting.shift()?.({ human: "", items: {}, block: [], ...answer });
    }
}

/* The game outlives the page until it is over, and then the settings do. */
/** @param {ComputerSeat} what */
function keep({ state, core, settings }) {
    const events = state.phase === "over" ? [] : core.events;
    remember("computer", JSON.stringify({ settings, events }));
}

/* What was kept, as far as it can be used: the browser may hold anything. */
/** @returns {{ settings: Settings, events?: unknown }} */
function kept() {
    try {
        const { settings, events } = JSON.parse(recall("computer", "null"));
        const { level, rules, side } = settings;
        const isSound =
            Number.isInteger(level) &&
            level >= 1 &&
            level <= LEVELS &&
            /^[a-z]+$/.test(rules) &&
            SIDES.includes(side);
        return isSound ? { settings: { level, rules, side }, events } : { settings: USUAL };
    } catch {
        return { settings: USUAL };
    }
}

/* The first event, which names the players in the language of today. */
/** @param {Settings} what */
function startOf({ level, rules, side }) {
    const names = { red: "computer-" + level, blue: "computer-" + level, [side]: _("you") };
    return `start red=${names.red} blue=${names.blue} rules=${rules} time=none`;
}

/* settings: { level, rules, side }, the side that the person has. */
class ComputerSeat extends Seat {
    /** @param {Page} page @param {Settings} settings @param {string[]} events */
    constructor(page, settings, events) {
        const side = settings.side === "red" ? "blue" : "red";
        const home = new Home(page, { events, level: settings.level, side });
        super(page.core, home, "home", page);
        home.table = this;
        this.worker = home.worker;
        this.settings = settings;
        this.isHome = true;
        this.talk.element.hidden = true;
        this.heading.textContent = _("A game against the computer");
        this.expected = events.length;
        for (const event of events) this.takeEvent(this.next, event);
    }

    get me() {
        return _("you");
    }

    close() {
        super.close();
        this.worker.terminate();
    }

    /* The computer is thinking, or its turn has come. */
    statusWords() {
        const words = super.statusWords();
        return this.isLive() && this.state.phase === "play" && !this.isOurTurn()
            ? _("The computer thinks …")
            : words;
    }

    renderActions() {
        const { phase } = this.state,
            buttons = [];
        if (phase === "play" && this.moves.plies.length > 0)
            buttons.push(actionButton(_("Take back"), () => this.do("takeback game=home")));
        if (phase === "play" && this.mayMove() && !this.isAsking)
            buttons.push(actionButton(_("Hint"), () => this.askHint()));
        if (phase === "play") buttons.push(actionButton(_("Resign"), () => this.askToResign()));
        if (phase === "over")
            buttons.push(
                actionButton(_("Play again"), () => this.page.playComputer(this.settings), true),
            );
        buttons.push(el("a", { class: "button", href: "/?games", text: _("Games and players") }));
        this.showActions(buttons);
    }

    async askHint() {
        const ply = this.moves.plies.length;
        this.isAsking = true;
        this.renderActions();
        const answer = await this.do("hint game=home");
        this.isAsking = false;
        this.renderActions();
        if (!answer?.move || this.pending !== null || ply !== this.moves.plies.length) return;
        const move = pointsOf(answer.move);
        if (move !== null) this.board.mark(move.from, [move.to], null);
        this.refusal.textContent = fill(_("Hint: {move}"), { move: shownMove(answer.move, "-") });
    }
}

/* A new game, or without settings the one that was kept; a new one if that cannot be continued. */
/** @param {Page} page @param {Settings} [settings] */
export function begin(page, settings) {
    const old = settings === undefined ? kept() : { settings };
    const events = Array.isArray(old.events) ? old.events.slice(1).map(String) : [];
    const seat = new ComputerSeat(page, old.settings, [startOf(old.settings), ...events]);
    if (seat.next === events.length + 1) return seat;
    seat.close();
    return new ComputerSeat(page, USUAL, [startOf(USUAL)]);
}
