/* The chat of the players and the whispers of the watchers of a game. */

class Talk {
    constructor(table) {
        this.table = table;
        this.verb = "whisper";
        this.rows = el("div", { class: "said", role: "log", tabindex: 0, hidden: true, "aria-label": _("Chat") });
        this.input = el("input", { type: "text", maxlength: 300, autocomplete: "off", enterkeyhint: "send" });
        this.form = el("form", { onsubmit: (event) => this.send(event) }, this.input,
            el("button", { type: "submit", class: "tool", text: _("Send") }));
        this.element = el("section", { class: "talk" }, this.rows, this.form);
        this.as("whisper");
    }

    /* "say" for a player, "whisper" for a watcher. */
    as(verb) {
        this.verb = verb;
        const words = verb === "say" ? _("Say something to your opponent") : _("Whisper to other watchers");
        this.input.placeholder = words;
        this.input.setAttribute("aria-label", words);
    }

    async send(event) {
        event.preventDefault();
        const text = this.input.value.trim();
        if (text === "") return;
        const answer = await this.table.line.ask(`${this.verb} game=${this.table.game} ${text}`);
        if (answer?.ok) this.input.value = "";
        else this.note(answer ? answer.human : _("No connection."));
    }

    add(row) {
        this.rows.hidden = false;
        this.rows.append(row);
        while (this.rows.children.length > 200) this.rows.firstChild.remove();
        this.rows.scrollTop = this.rows.scrollHeight;
    }

    take(news) {
        const isWhisper = news.words[0] === "whisper";
        const side = ["red", "blue"].find((each) => this.table.start[each] === news.items.by) ?? "";
        const by = news.items.by, isOther = by !== this.table.page.name;
        const name = isOther ? el("button", { type: "button", class: "by " + side, text: by, onclick: () => this.about(by) }) : el("b", { class: side, text: by });
        this.add(el("p", { class: isWhisper ? "whisper" : "say" }, name, " ", el("span", { text: news.human })));
    }

    async about(name) {
        const part = await loadPart(this.table.page.files, "people").catch(() => null);
        if (part === null) return this.note(_("A part of this page could not be fetched. Load the page again."));
        this.element.querySelector(".person")?.remove();
        this.form.before(new part.Person(this, name).element);
        this.element.querySelector(".person button").focus();
    }

    note(words) {
        this.add(el("p", { class: "note", text: words }));
    }
}
