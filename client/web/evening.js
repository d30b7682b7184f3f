/* A club evening: its table, and the boards of its round. The page fetches this module when it
 * has to show one; it uses the names of page.js. */

/** @type {Record<string, string>} */
const SYSTEMS = { rr: N_("round robin"), swiss: N_("Swiss system") };
/** @type {Record<string, string>} */
const STATES = { open: N_("open"), playing: N_("playing"), over: N_("over") };
/** @type {Record<string, string>} */
const RESULTS = { red: N_("Red wins"), blue: N_("Blue wins"), draw: N_("Draw"), none: "–" };

/* "Swiss system · playing · round 2 of 5 · 12 players" */
/** @param {Items} items */
export function eveningWords(items) {
    const [system, state] = [SYSTEMS[items.system], STATES[items.state]],
        words = [_(system ?? items.system), _(state ?? items.state)],
        round = fill(_("round {n} of {all}"), { n: items.round, all: items.rounds });
    if (items.round !== "0") words.push(round);
    return [...words, fill(_("{count} players"), { count: items.players })].join(" · ");
}

/* The news of an evening for one of its players. */
/** @param {Items} what */
export function eveningNews({ round, red, blue, bye, open, name, in_s, state }) {
    if (bye !== undefined)
        return fill(_("Round {round}: you have no opponent; it counts as a win."), { round });
    const begins = _("Round {round}: {red} – {blue}. The game begins in {n} s.");
    if (red !== undefined) return fill(begins, { round, red, blue, n: in_s });
    if (open !== undefined)
        return fill(_("Round {round}: games still running: {open}."), { round, open });
    if (state === "over") return fill(_("The evening {name} is over."), { name });
    return fill(_("You take part in the evening {name}."), { name });
}

export class Evening {
    /** @param {Page} page @param {string} id */
    constructor(page, id) {
        this.page = page;
        this.id = id;
        this.title = el("h1");
        this.facts = el("p.faint");
        this.doing = el("p.actions");
        this.rows = el("tbody");
        this.boards = el("ul.seeks");
        this.round = el("h2");
        const head = [_("Place"), _("Name"), _("Score"), _("Buchholz"), _("Won"), _("Played")].map(
            (text) => el("th", { scope: "col", text }),
        );
        this.element = el(
            "main.front.evening",
            this.title,
            this.facts,
            this.doing,
            el("table", el("thead", el("tr", ...head)), this.rows),
            this.round,
            this.boards,
        );
        this.timer = setInterval(() => document.hidden || this.refresh(), LIST_MS);
    }

    close() {
        clearInterval(this.timer);
    }

    /* False: there is no such evening, or no connection. */
    async refresh() {
        const answer = await this.page.line.ask("evening " + this.id);
        if (!answer?.ok) return false;
        const all = answer.block.map(parseLine),
            items = answer.items;
        this.title.textContent = document.title = items.name;
        this.facts.textContent = `${eveningWords(items)} · ${termsWords(this.page.core, items)}`;
        const rows = (/** @type {string} */ mark) => all.filter((row) => row.mark === mark);
        refill(this.rows, rows("place").map(placeRow));
        this.round.textContent = items.round === "0" ? "" : fill(_("Round {round}"), items);
        refill(this.boards, rows("board").map(boardRow));
        this.renderActions(items);
        return true;
    }

    /** @param {Items} items */
    renderActions(items) {
        const isIn = [...this.rows.children].some(
            (row) =>
                row.children[1].textContent === this.page.state.name && row.className !== "faint",
        );
        const verb = isIn ? "leave" : "join",
            act = () => this.page.needName(items.name, () => this.act(verb));
        const button = actionButton(isIn ? _("Leave the evening") : _("Take part"), act, !isIn);
        refill(this.doing, items.state === "over" ? [] : [button]);
    }

    /** @param {string} verb */
    async act(verb) {
        const answer = await this.page.line.ask(`evening ${verb} ${this.id}`);
        if (answer !== null && !answer.ok) this.page.tell(answer.human);
        if (this.page.view !== this) await this.page.showEvening(this.id);
        else await this.refresh();
    }
}

/** @param {Parsed} what */
function placeRow({ words, items }) {
    const cells = [words[0], items.name, items.score, items.buchholz, items.won, items.played],
        isGone = items.here === "no";
    return el("tr", { class: isGone ? "faint" : null }, ...cells.map((text) => el("td", text)));
}

/** @param {Parsed} row */
function boardRow({ items }) {
    if (items.bye !== undefined)
        return el("li", el("span", fill(_("{name} has no opponent"), { name: items.bye })));
    const result = items.result in RESULTS ? _(RESULTS[items.result]) : "",
        pair =
            items.game === undefined
                ? pairOf("span.pair", items)
                : pairOf("a.pair", items, "/game/" + items.game);
    return el("li", pair, el("span.faint", result));
}
