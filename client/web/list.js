/* The front page: the games that are being played, the reader's own, and who looks for an opponent. */

const LIST_MS = 10000, PICTURES = 6;

class Front {
    constructor(page, mayPlay) {
        this.page = page;
        this.line = page.line;
        this.mayPlay = mayPlay;
        const section = (title) => {
            const rows = el("div", { class: "games" });
            return { rows, element: el("section", { hidden: true }, el("h2", { text: title }), rows) };
        };
        this.own = section(_("Your games"));
        this.all = section(_("Games"));
        this.seeks = el("ul", { class: "seeks" });
        this.wanted = el("section", { hidden: true }, el("h2", { text: _("Looking for an opponent") }), this.seeks);
        this.evenings = section(_("Club evenings"));
        this.none = el("p", { class: "faint", text: _("No game is running.") });
        this.element = el("main", { class: "front" }, el("h1", { text: page.serverName }), this.own.element,
            mayPlay ? new InviteForm(page, () => this.refreshSeeks()).element : null, this.wanted, this.evenings.element, this.all.element, this.none);
        this.timer = setInterval(() => document.hidden || this.refresh(), LIST_MS);
    }

    close() {
        clearInterval(this.timer);
    }

    /* Resolves to the numbers of the public games. */
    async refresh() {
        if (!this.line.isOpen) return [];
        const [, , , games] = await Promise.all([this.refreshSeeks(), this.refreshOwn(), this.refreshEvenings(), this.games("games")]);
        const others = games.filter((row) => !this.isOwn(row));
        this.none.hidden = games.length > 0 || !this.own.element.hidden;
        await this.fill(this.all, others, PICTURES);
        return games.map((row) => row.words[0]);
    }

    async refreshOwn() {
        await this.fill(this.own, this.page.entry.hasName ? await this.games("games mine") : [], PICTURES);
    }

    /* Lists the evenings that are not over, and the last one that is. */
    async refreshEvenings() {
        const answer = await this.line.ask("evening");
        const all = answer?.ok ? answer.block.map(parseLine).filter((row) => row.mark === "evening") : [];
        const over = all.filter((row) => row.items.state === "over").sort((a, b) => b.words[0] - a.words[0]).slice(1);
        const shown = all.filter((row) => !over.includes(row));
        this.evenings.rows.replaceChildren(...shown.map(({ words, items }) => el("a", { class: "card", href: "/?evening=" + words[0] },
            el("span", { class: "pair", text: items.name }), el("span", { class: "faint", text: eveningWords(items) }))));
        this.evenings.element.hidden = shown.length === 0;
    }

    isOwn(row) {
        return this.page.entry.hasName && [row.items.red, row.items.blue].includes(this.page.name);
    }

    async games(command) {
        const answer = await this.line.ask(command);
        return answer?.ok ? answer.block.map(parseLine).filter((row) => row.mark === "game") : [];
    }

    async fill(section, games, pictures) {
        section.rows.replaceChildren(...await Promise.all(games.map((row, i) => this.card(row, i < pictures))));
        section.element.hidden = games.length === 0;
    }

    async card(row, hasPicture) {
        const game = row.words[0], items = row.items;
        const state = hasPicture ? await this.line.ask("state game=" + game) : null;
        const isTurn = items.side !== undefined && items.turn === items.side;
        const facts = [items.rules, items.time === "none" ? _("no clock") : items.time,
                       items.phase === "setup" ? _("line-ups") : fill(_("move {n}"), { n: Number(items.ply) + 1 }),
                       Number(items.watchers) > 0 ? fill(_("{count} watching"), { count: items.watchers }) : ""];
        return el("a", { class: "card", href: "/game/" + game },
            state?.ok ? smallBoard(cellsOf(state.items.position), "hanja", items.side === "blue") : null,
            el("span", { class: "pair" }, el("span", { class: "red", text: items.red }), " – ",
                el("span", { class: "blue", text: items.blue })),
            isTurn ? el("strong", { text: _("Your turn") }) : null,
            el("span", { class: "faint", text: facts.filter(Boolean).join(" · ") }));
    }

    /* --- Opponents --- */

    async refreshSeeks() {
        const answer = this.mayPlay ? await this.line.ask("seeks") : null;
        const seeks = answer?.ok ? answer.block.map(parseLine).filter((row) => row.mark === "seek") : [];
        this.seeks.replaceChildren(...seeks.map((row) => this.seekRow(row)));
        this.wanted.hidden = seeks.length === 0;
    }

    seekRow(row) {
        const id = row.words[0], isOurs = this.page.entry.hasName && row.items.by === this.page.name;
        return el("li", null, el("strong", { text: row.items.by }), el("span", { class: "faint", text: ratingWords(row.items) }),
            el("span", { class: "faint terms", text: termsWords(this.page.core, row.items) }),
            isOurs ? actionButton(_("Withdraw"), () => this.withdraw(id))
                : actionButton(_("Play"), () => this.page.needName(_("Play"), () => this.page.accept(id)), true));
    }

    async withdraw(id) {
        this.page.seeking = null;
        await this.line.ask("withdraw " + id);
        await this.refreshSeeks();
    }
}
