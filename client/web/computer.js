/* A game against the computer, in this browser alone: a worker is the referee and the opponent
 * (analyse.js), and stands in for the server, so that the game goes on while there is no
 * connection. The page fetches this module when somebody wants to play; it uses the names of
 * page.js. */

const LEVELS = 10;
/** @type {Settings} */
const USUAL = { level: 3, rules: "martin", side: "red" };

/* What a table takes for its connection. */
class Home {
    /** @param {Page} page @param {Settings} settings @param {string[]} events */
    constructor(page, settings, events) {
        this.page = page;
        this.settings = settings;
        this.isOpen = true;
        this.isHome = true; /* there is no server that has a record */
        this.thinks = _("The computer thinks …");
        this.isAsking = false; /* for a hint */
        /** @type {((answer: Reply) => void)[]} */
        this.waiting = [];
        /** @type {Table | null} */
        this.table = null;
        const { level } = settings,
            side = settings.side === "red" ? "blue" : "red";
        this.worker = engine(page.files, { level, side, events }, (said) => this.take(said));
    }

    leave() {
        this.worker.terminate();
    }

    /* "move game=home 3 B0-C2" and the like; whatever else a table asks a server has no answer
     * here. */
    /** @param {string} command @returns {Promise<Reply | null>} */
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
        for (const event of events) this.table.takeEvent(this.table.game.next, event);
        if (events.length > 0) keep(this.table.game, this.settings);
        if (answer !== undefined)
            this.waiting.shift()?.({ human: "", items: {}, block: [], ...answer });
    }

    /* What the person may do. */
    /** @param {Seat} seat @param {HTMLElement} resign */
    buttons(seat, resign) {
        const { phase } = seat.game.state;
        const isPlay = phase === "play",
            mayAsk = isPlay && seat.game.mayMove() && !this.isAsking,
            takeBack = () => seat.do("takeback game=home"),
            again = () => this.page.playComputer(this.settings);
        return [
            isPlay && seat.game.plies.length > 0 && actionButton(_("Take back"), takeBack),
            mayAsk && actionButton(_("Hint"), () => this.askHint(seat)),
            isPlay && resign,
            phase === "over" && actionButton(_("Play again"), again, true),
            linkButton(_("Games and players"), "/?games"),
        ].filter((button) => button !== false);
    }

    /** @param {Seat} seat */
    async askHint({ game, table }) {
        const ply = game.plies.length;
        this.isAsking = true;
        table.render();
        const answer = await this.ask("hint");
        this.isAsking = false;
        const move = pointsOf(answer?.move);
        if (answer?.move && game.pending === null && ply === game.plies.length) {
            if (move !== null) game.choice = { ...NO_CHOICE, from: move.from, targets: [move.to] };
            game.refusal = fill(_("Hint: {move}"), { move: shownMove(answer.move, "-") });
        }
        table.render();
    }
}

/* The game outlives the page until it is over, and then the settings do. */
/** @param {Game} game @param {Settings} settings */
function keep({ state, core }, settings) {
    const events = state.phase === "over" ? [] : core.events;
    remember("computer", JSON.stringify({ settings, events }));
}

/* What was kept, as far as it can be used: the browser may hold anything. */
/** @returns {{ settings: Settings, events?: unknown }} */
function kept() {
    try {
        const { settings, events } = JSON.parse(recall("computer", "null"));
        const { level, rules, side } = settings;
        const isLevel = Number.isInteger(level) && level >= 1 && level <= LEVELS,
            isSound = isLevel && /^[a-z]+$/.test(rules) && SIDES.includes(side);
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

/* A new game, or without settings the one that was kept; a new one if that cannot be continued. */
/** @param {Page} page @param {Settings} [settings] */
export function begin(page, settings) {
    const old = settings === undefined ? kept() : { settings };
    const events = Array.isArray(old.events) ? old.events.slice(1).map(String) : [];
    const table = seated(page, old.settings, [startOf(old.settings), ...events]);
    if (table.game.next === events.length + 1) return table;
    table.close();
    return seated(page, USUAL, [startOf(USUAL)]);
}

/** @param {Page} page @param {Settings} settings @param {string[]} events */
function seated(page, settings, events) {
    const home = new Home(page, settings, events),
        table = (home.table = new Table(page, home, "home", _("you")));
    table.heading.textContent = _("A game against the computer");
    table.talk.element.hidden = true;
    table.game.expected = events.length;
    for (const event of events) table.takeEvent(table.game.next, event);
    return table;
}
