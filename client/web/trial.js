/* A board of the reader's own, which begins with a position of the game: any moves of both
 * sides, and what the computer would play. The page fetches this module with the first move; it
 * uses the names of page.js. */

const TIMES = / (?:red|blue)_(?:ms|periods)=\d+| lag_ms=\d+/g,
    TERMS = / (?:lag|claim)=\S+/g;

/* The events that make the position, without clocks. */
/** @param {string[]} events */
function positionEvents(events) {
    return events
        .filter((event) => /^(?:start|setup|move|takeback) /.test(event))
        .map((event) =>
            event.startsWith("start ")
                ? event.replace(/ time=\S+/, " time=none").replace(TERMS, "")
                : event.replace(TIMES, ""),
        );
}

export class Trial {
    /** @param {Table} table */
    static async begin(table) {
        const events = positionEvents(table.core.events),
            at = table.game.at(),
            isEarlier = at < table.game.plies.length;
        const core = await Core.load(table.core.files);
        for (const event of events) core.apply(event);
        if (isEarlier) core.apply("takeback " + at);
        return new Trial(table, core);
    }

    /** @param {Table} table @param {Core} core */
    constructor(table, core) {
        this.table = table;
        this.core = core;
        this.first = Number(this.state().plies);
        this.tried = el("span", { role: "status" });
        this.advice = el("span", { role: "status" });
        this.passing = actionButton(_("Pass"), () => this.move("pass"));
        this.asking = actionButton(_("Computer's move"), () => this.ask());
        const undo = actionButton(_("Undo"), () => this.back()),
            end = actionButton(_("Back to the game"), () => table.endTrial(), true);
        this.element = el("div.offer.trial", this.tried, this.advice, undo);
        this.element.append(this.passing, this.asking, end);
        table.strip.after(this.element);
        this.worker = null;
        this.showPass();
    }

    close() {
        this.stop();
        this.element.remove();
    }

    /* The engine: its answer has come, or is for another position. */
    stop() {
        this.advice.textContent = "";
        this.worker?.terminate();
        this.worker = null;
        this.asking.disabled = false;
    }

    showPass() {
        this.passing.hidden = !this.core.moves().includes("pass");
    }

    state() {
        return this.core.state(-1);
    }

    /* False: not a legal move. */
    /** @param {string} text */
    move(text) {
        const { turn, plies } = this.state(),
            verdict = this.core.judge(text);
        if (verdict?.move === undefined) return false;
        this.core.apply(`move ${Number(plies) + 1} ${turn} ${verdict.move}`);
        this.show();
        return true;
    }

    /* Before the first move the trial is over. */
    back() {
        if (this.isFresh()) return this.table.endTrial();
        this.core.apply("takeback " + (Number(this.state().plies) - 1));
        this.show();
    }

    isFresh() {
        return Number(this.state().plies) === this.first;
    }

    show() {
        const moves = this.core.plies(this.first + 1).map(({ move }) => shownMove(move));
        this.stop();
        this.showPass();
        this.tried.textContent = fill(_("Tried: {moves}"), { moves: moves.join(" ") });
        this.table.board.advise(null);
        this.table.choose(NO_CHOICE);
    }

    /* The computer's move, as an arrow and in words. */
    ask() {
        this.stop();
        const { files, events } = this.core;
        this.worker = engine(files, { events, side: "none" }, (said) => this.take(said));
        this.asking.disabled = true;
        this.worker.postMessage({ verb: "hint", text: "" });
    }

    /** @param {Reaction} what */
    take({ answer, error }) {
        const move = answer?.move;
        this.stop();
        this.table.board.advise(pointsOf(move));
        const none = _("The computer has no move here."),
            found = fill(_("The computer would play {move}."), { move: shownMove(move, "-") });
        this.advice.textContent = move === undefined ? none : found;
        if (error !== undefined)
            this.advice.textContent = _("The computer has failed. Load the page again.");
    }
}
