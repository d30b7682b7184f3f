/* How the pieces move, with pictures, and the rules of each ruleset in words. The page fetches
 * this module when a reader asks for it; it uses the names of page.js. The rules core draws the
 * targets, and writes the rules (wasm_save.h). */

/* A position in which Red's piece on that point shows what it can do. */
/** @type {[where: string, words: string][]} */
const LESSONS = [
    [
        "K E1 3k5/9/9/9/9/9/9/9/4K4/9",
        N_("one step along a line of the fortress, which it never leaves"),
    ],
    [
        "G D0 5k3/9/9/9/9/9/9/9/4K4/3G5",
        N_("one step along a line of the fortress, which it never leaves"),
    ],
    [
        "R F7 9/3k5/2n2R3/9/9/5P3/9/9/4K4/9",
        N_("any distance along a line, also along a fortress diagonal"),
    ],
    [
        "C B2 1r1k5/9/9/9/9/1P7/9/1C4p2/4K4/9",
        N_("jumps exactly one piece, never a cannon; takes no cannon"),
    ],
    [
        "N E4 3k5/9/9/9/4P4/4N4/6p2/9/4K4/9",
        N_("one step straight, then one diagonally outward; a piece on the first point blocks it"),
    ],
    [
        "B E4 3k5/9/6n2/3p5/9/4B4/9/9/4K4/9",
        N_("one straight, two diagonally; a piece on the way blocks"),
    ],
    [
        "P F7 9/3k5/5P1r1/9/9/9/9/9/4K4/9",
        N_("one step forward or sideways; in the enemy fortress also forward along a diagonal"),
    ],
];

export class Learn {
    /** @param {Page} page */
    static async load(page) {
        return new Learn(page, await Core.load(page.files, "save.wasm"));
    }

    /** @param {Page} page @param {Core} core */
    constructor(page, core) {
        this.core = core;
        this.style = recall("pieces", "both");
        this.rules = el("div");
        const [first] = page.state.rulesets,
            show = (/** @type {string} */ name) => this.showRules(name);
        this.element = el(
            "main.front.learn",
            el("h1", _("How the pieces move")),
            el(
                "p",
                _(
                    "The pieces stand on the points where the lines cross. A green mark is a point to which the piece can go; a green ring is a piece that it can take.",
                ),
            ),
            el("div.games", ...LESSONS.map(this.card, this)),
            el(
                "p",
                _(
                    "Attack the enemy king: that is check. A king that cannot get out of check is mated, and the game is over.",
                ),
            ),
            el("h2", _("Rules")),
            picker(same(page.state.rulesets), first, show, _("Rules")),
            this.rules,
        );
        this.showRules(first);
        document.title = _("How the pieces move");
    }

    close() {}

    /** @param {[where: string, words: string]} lesson */
    card([where, words]) {
        const [letter, name, position] = where.split(" "),
            point = pointOf(name),
            board = new Board();
        this.core.clear();
        this.core.apply(
            `start red=red blue=blue rules=martin time=none position="${position} r - 0 0 1"`,
        );
        const moves = this.core.moves().map(pointsOf),
            targets = moves.flatMap((move) => (move?.from === point ? [move.to] : []));
        board.restyle(this.style);
        board.show({ cells: cellsOf(position), last: null }, "red");
        board.mark(point, targets, null);
        board.picture.setAttribute("role", "img");
        board.picture.removeAttribute("aria-hidden");
        board.picture.setAttribute("aria-label", `${name}: ${targets.map(pointName).join(", ")}`);
        const both = [letter, letter.toLowerCase()],
            icons = both.map((each) => pieceIcon(each, plainStyle(this.style))),
            title = el("h2.pair", ...icons, " " + _(KINDS[LETTERS.indexOf(letter)]));
        return el("section.card", board.element, el("div", title, el("span", _(words))));
    }

    /* No paragraphs if the core does not know these rules. */
    /** @param {string} name */
    guide(name) {
        this.core.give(name);
        return this.core.calls.page_guide(this.core.page) > 0
            ? this.core.answer().trim().split("\n")
            : [];
    }

    /** @param {string} name */
    showRules(name) {
        this.rules.replaceChildren(...this.guide(name).map((words) => el("p", words)));
    }
}
