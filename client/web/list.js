/* The games that are being played. */

const LIST_MS = 10000, PICTURES = 6;

class GameList {
    constructor(line, name) {
        this.line = line;
        this.rows = el("div", { class: "games" });
        this.none = el("p", { class: "faint", text: _("No game is being played now.") });
        this.element = el("main", { class: "front" }, el("h1", { text: name }), this.none, this.rows);
        this.timer = setInterval(() => document.hidden || this.refresh(), LIST_MS);
    }

    close() {
        clearInterval(this.timer);
    }

    /* Fulfilled by the numbers of the games. */
    async refresh() {
        const answer = await this.line.ask("games");
        if (!answer?.ok) return [];
        const games = answer.block.map(parseLine).filter((row) => row.mark === "game");
        this.none.hidden = games.length > 0;
        const cards = await Promise.all(games.map((row, i) => this.card(row, i < PICTURES)));
        this.rows.replaceChildren(...cards);
        return games.map((row) => row.words[0]);
    }

    async card(row, hasPicture) {
        const game = row.words[0], items = row.items;
        const state = hasPicture ? await this.line.ask("state game=" + game) : null;
        const facts = [items.rules, items.time === "none" ? _("no clock") : items.time,
                       items.phase === "setup" ? _("line-ups") : fill(_("move {n}"), { n: Number(items.ply) + 1 }),
                       Number(items.watchers) > 0 ? fill(_("{count} watching"), { count: items.watchers }) : ""];
        return el("a", { class: "card", href: "/game/" + game },
            state?.ok ? smallBoard(cellsOf(state.items.position), "hanja") : null,
            el("span", { class: "pair" }, el("span", { class: "red", text: items.red }), " – ",
                el("span", { class: "blue", text: items.blue })),
            el("span", { class: "faint", text: facts.filter(Boolean).join(" · ") }));
    }
}
