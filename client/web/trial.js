/* A board of the reader's own, which begins with a position of the game: any moves of both
 * sides, and what the computer would play. The page fetches this module with the first move; it
 * uses the names of page.js. */

const TIMES = / (?:red|blue)_(?:ms|periods)=\d+| lag_ms=\d+/g,
    TERMS = / (?:lag|claim)=\S+/g,
    LEVEL = 10;

/* The events that make the position, without clocks. */
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
    static async begin(table) {
        const core = await Core.load(table.core.files);
        for (const event of positionEvents(table.core.events)) core.apply(event);
        if (table.moves.at() < table.moves.plies.length) core.apply("takeback " + table.moves.at());
        return new Trial(table, core);
    }

    constructor(table, core) {
        this.table = table;
        this.core = core;
        this.first = Number(this.state().plies);
        this.tried = el("span");
        this.asking = actionButton(_("Computer's move"), () => this.ask());
        this.element = el(
            "div",
            { class: "offer trial" },
            this.tried,
            actionButton(_("Undo"), () => this.back()),
            this.asking,
            actionButton(_("Back to the game"), () => table.endTrial(), true),
        );
        table.status.parentNode.after(this.element);
        this.worker = null;
    }

    close() {
        this.worker?.terminate();
        this.element.remove();
    }

    state() {
        return this.core.state(-1);
    }

    /* False: not a legal move. */
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
        this.tried.textContent = fill(_("Tried: {moves}"), { moves: moves.join(" ") });
        this.table.board.point(null);
        this.table.render();
    }

    /* Draws the computer's move as an arrow, if the position is still the same then. */
    ask() {
        const { plies } = this.state();
        this.worker?.terminate();
        this.worker = new Worker(new URL("analyse.js", this.core.files));
        this.asking.disabled = true;
        this.worker.onmessage = ({ data }) => {
            this.asking.disabled = false;
            if (this.state().plies === plies) this.table.board.point(pointsOf(data.answer?.move));
        };
        this.worker.postMessage({
            files: String(this.core.files),
            events: this.core.events,
            level: LEVEL,
            side: "none",
        });
        this.worker.postMessage({ verb: "hint", text: "" });
    }
}
