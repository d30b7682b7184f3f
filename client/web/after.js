/* What a reader can do with a game that is over: save it, and have it analysed. The page
 * fetches this module when a game has ended; it uses the names of page.js. */

/** @type {Record<string, string>} */
const MARKS = { "?!": N_("doubtful"), "?": N_("a mistake"), "??": N_("a blunder") };

/* Red's chances, move by move, and the moves that lost some of them. */
class Analysis {
    /** @param {Table} table @param {HTMLElement} button */
    constructor(table, button) {
        this.table = table;
        this.button = button;
        /** @type {Place[]} */
        this.graph = [];
        this.progress = el("p.faint");
        this.status = el("p.faint", { role: "status" });
        this.list = el("div.tools");
        this.red = draw("polygon");
        this.curve = draw("polyline");
        this.here = draw("line", { y1: 0, y2: 100 });
        this.picture = draw(
            "svg",
            { role: "img", preserveAspectRatio: "none", viewBox: "0 0 1 100" },
            this.red,
            draw("path", { d: "M0 50H9999" }),
            this.curve,
            this.here,
        );
        this.picture.addEventListener("click", (event) => this.goTo(event));
        this.element = el("section.analysis", { "aria-label": _("Analysis"), tabindex: -1 });
        this.element.append(this.picture, this.progress, this.status, this.list);
        table.parts.push(this);
        table.moves.element.after(this.element);
    }

    start() {
        this.button.hidden = true;
        this.element.focus({ preventScroll: true });
        this.progress.textContent = fill(_("Analysing: {n} %"), { n: 0 });
        const { files, events } = this.table.core,
            worker = engine(files, { events }, (data) => this.take(data, worker));
    }

    /** @param {Found} data @param {Worker} worker */
    take(data, worker) {
        const isOver = data.error !== undefined || data.isDone || !this.element.isConnected;
        if (isOver) worker.terminate();
        this.progress.textContent =
            isOver || data.error !== undefined
                ? ""
                : fill(_("Analysing: {n} %"), { n: data.percent });
        if (data.error !== undefined)
            return (this.status.textContent = _("The analysis has failed. Load the page again."));
        this.graph = data.graph;
        if (data.isDone) this.status.textContent = this.summary(); /* once: it is read aloud */
        this.show();
    }

    plies() {
        return Math.max(1, this.table.game.plies.length);
    }

    show() {
        const chances = this.graph.map((place) => place.chance);
        this.picture.setAttribute("viewBox", `0 0 ${this.plies()} 100`);
        const words = _("Red's chances of winning after each move, in percent: {list}");
        this.picture.setAttribute("aria-label", fill(words, { list: chances.join(", ") }));
        const points = chances.map((chance, ply) => `${ply},${100 - chance}`).join(" ");
        this.curve.setAttribute("points", points);
        this.red.setAttribute("points", `0,100 ${points} ${chances.length - 1},100`);
        this.markMoves();
        this.render();
    }

    render() {
        const ply = this.table.game.at();
        this.here.setAttribute("x1", String(ply));
        this.here.setAttribute("x2", String(ply));
    }

    /** @param {MouseEvent} event */
    goTo(event) {
        const box = this.picture.getBoundingClientRect();
        this.table.go(Math.round(((event.clientX - box.left) / box.width) * this.plies()));
    }

    /* A button for each move with a mark, and the mark in the list of moves. */
    markMoves() {
        const rows = this.table.moves.list.children;
        /** @type {number[]} */
        const marked = [];
        this.graph.forEach((place, ply) => {
            const row = rows[ply - 1]?.firstElementChild;
            if (!row) return;
            row.querySelector(".mark")?.remove();
            if (place.mark === "") return;
            row.append(el("span.mark", place.mark));
            marked.push(ply);
        });
        const button = (/** @type {number} */ ply) =>
            actionButton(this.words(ply), () => this.table.go(ply - 1));
        refill(this.list, marked.map(button));
    }

    /* "12. C2–E2 ?? −31 %, better: B0-C2" */
    /** @param {number} ply */
    words(ply) {
        const { mark, lost, best } = this.graph[ply],
            { move } = this.table.game.plies[ply - 1];
        const better =
            best === "" ? "" : fill(_(", better: {move}"), { move: shownMove(best, "-") });
        return `${ply}. ${shownMove(move, "-")} ${mark} −${lost} %${better}`;
    }

    summary() {
        const counts = Object.entries(MARKS).map(
            ([mark, words]) =>
                `${mark} ${_(words)}: ${this.graph.filter((place) => place.mark === mark).length}`,
        );
        return `${_("Red's chances of winning, move by move.")} ${counts.join(" · ")}`;
    }
}

/* The changes that "! rating" reports after a game; names by side. */
/** @param {Parsed} news @param {Items} names */
export function changeWords({ items, human }, names) {
    if (items.counted === "no") return human;
    /** @param {Side} side */
    const change = (side) => {
        const by = (items[side + "_by"] ?? "").replace("-", "−");
        return `${names[side]} ${ratingOf(items, side)} (${by})`;
    };
    return _("ratings: ") + SIDES.map(change).join(", ");
}

/** @param {Table} table */
async function saveRecord(table) {
    const answer = await table.line.ask("record " + table.game.id);
    if (answer?.ok)
        download(`janggi-${table.game.id}.record`, "text/plain", answer.block.join("\n") + "\n");
    else if (answer) table.talk.note(answer.human);
}

/* Adds its buttons to those of the table. */
/** @param {Table} table */
export function offer(table) {
    /** @param {string} kind */
    const format = (kind) => table.saver(kind, "text/plain", () => table.core.exported(kind));
    if (!table.isHome) table.files.append(actionButton(_("Record"), () => saveRecord(table)));
    table.files.append(format("gib"), format("pgn"));
    if (table.game.plies.length === 0) return;
    const button = actionButton(_("Analyse"), () => new Analysis(table, button).start());
    table.files.parentNode?.append(button);
}
