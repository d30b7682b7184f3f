// Entering: a name that was used before, a guest's name, a server without guests, and what is refused before there is a view.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Player, Server, begin, build, openBrowser, picture, text, until, visit } from "./house.mjs";

let browser;
before(async () => { browser = await openBrowser(); });
after(async () => browser?.close());

// A server with these options while use() runs.
async function serving(options, access, use) {
    const server = new Server(["--web", "play", ...options], access);
    try {
        await server.start();
        await use(server);
    } finally {
        await server.remove();
    }
}

const ctl = (server, ...words) => execFileSync(join(build, "janggid"), ["ctl", "--data", join(server.directory, "data"), ...words], { encoding: "utf8" });
const identity = (page, name) => until(page, "the name", (wanted) => document.querySelector("details.identity summary")?.textContent.match(wanted), name);
const stored = (page) => page.evaluate(() => [localStorage.getItem("janggi.name"), localStorage.getItem("janggi.token")]);
const form = (page, title) => until(page, title, (wanted) => document.querySelector("main h1")?.textContent === wanted && document.querySelector("form.typing input"), title);

// A page of somebody who was here before.
const remembering = (server, path, name, token) => visit(browser, server.url + path,
    { early: ([kept, proof]) => { localStorage.setItem("janggi.name", kept); localStorage.setItem("janggi.token", proof); }, earlyWith: [name, token] });

async function register(server, name) {
    const player = await new Player(server).connect();
    const token = (await player.ask("login " + name, /^OK login name=\S+ token=(\S+)/))[1];
    player.close();
    return token;
}

test("a guest's name takes the place of a stored one only if that is dead", () => serving(["--guests", "play"], undefined, async (server) => {
    const token = await register(server, "mina");
    await server.kill();
    await server.start(); /* so that the server does not know mina's network, and the ban is mina's alone */
    ctl(server, "ban", "mina", "for=1h", "enough");
    const page = await remembering(server, "/?games", "mina", token);
    await identity(page, "^guest-");
    const guest = await text(page, "details.identity summary");
    assert.deepEqual(await stored(page), ["mina", token], "banned for an hour, not for ever");
    assert.equal(await page.$(".keep"), null, "a name for one visit is not to be saved");
    await server.kill();
    await server.start();
    await until(page, "no banner", () => document.querySelector(".banner").hidden);
    await identity(page, `^${guest}$`);
    assert.deepEqual(await stored(page), ["mina", token], "after a lost connection too");
    ctl(server, "unban", "mina");
    await page.reload();
    await identity(page, "^mina$");
    const match = await begin(server);
    const framed = await remembering(server, `/game/${match.game}?embed`, "mina", token);
    await until(framed, "the board", () => document.querySelector(".board .piece"));
    assert.deepEqual(await stored(framed), ["mina", token], "inside a page of somebody else");
    assert.match((await match.red.ask(`watchers game=${match.game}`, /^\| watcher (\S+)/))[1], /^guest/);
    const lost = await remembering(server, "/?games", "mina", "0".repeat(token.length));
    await identity(lost, "^guest-");
    assert.match((await stored(lost))[0], /^guest-/, "nothing opens that name from here any more");
}));

const words = (page) => page.$eval("form.typing input", (input) => input.value);

test("a server without guests asks for a name, and takes it with the code of the link", () => serving(["--guests", "none", "--invite"], [], async (server) => {
    const page = await visit(browser, `${server.url}/join#${server.code}`);
    await form(page, "You are invited to a game of Janggi");
    assert.equal(await text(page, ".refusal"), "");
    await page.type("form.typing input", "ho");
    await picture(page, "no-guests-1280x800");
    const rules = await visit(browser, await page.$eval(".preview a", (link) => link.href));
    await until(rules, "the rules", () => document.querySelector("main h1")?.textContent === "How the pieces move" && document.querySelector(".banner").hidden);
    assert.deepEqual(rules.faults, []);
    await server.kill();
    await until(page, "the banner", () => !document.querySelector(".banner").hidden);
    await server.start();
    await until(page, "no banner", () => document.querySelector(".banner").hidden);
    assert.equal(await words(page), "ho", "what was typed is kept");
    await page.type("form.typing input", "ng");
    await page.keyboard.press("Enter");
    await until(page, "the seat", () => /The game begins here/.test(document.querySelector("main p")?.textContent));
    const line = `login ${(await stored(page)).join(" token=")}`;
    const other = await visit(browser, server.url + "/?games");
    await form(other, "Welcome");
    await other.type("form.typing input", "stranger");
    await other.keyboard.press("Enter");
    await until(other, "the refusal", () => /a new name needs an invitation here/.test(document.querySelector(".refusal").textContent));
    await other.$eval("form.typing input", (input) => { input.value = ""; });
    await other.type("form.typing input", line);
    await other.keyboard.press("Enter");
    await until(other, "the front page", () => document.querySelector("main.front .invite"));
    await identity(other, "^hong$");
    const door = /enter\/([\w-]+)\//.exec(ctl(server, "invite", "door", "uses=2"))[1];
    const member = await visit(browser, `${server.url}/enter#${door}`);
    await form(member, "Welcome");
    await member.type("form.typing input", "kim");
    await member.keyboard.press("Enter");
    await until(member, "the front page", () => document.querySelector("main.front .invite"));
    await identity(member, "^kim$");
}));

test("the question for a name outlives the time for a login", () => serving(["--guests", "none", "--limits", "login-s=1"], undefined, async (server) => {
    const page = await visit(browser, server.url + "/", { early: () => {
        const Real = WebSocket;
        globalThis.ends = 0;
        globalThis.WebSocket = class extends Real {
            constructor(...words) {
                super(...words);
                this.addEventListener("close", () => globalThis.ends++);
            }
        };
    } });
    await form(page, "Welcome");
    await until(page, "the end of the connection", () => globalThis.ends === 1);
    assert.equal(await page.$eval(".banner", (banner) => banner.hidden), true, "nothing is wrong");
    await page.type("form.typing input", "slow");
    await page.keyboard.press("Enter");
    await until(page, "the front page", () => document.querySelector("main.front .invite"));
    await identity(page, "^slow$");
    assert.equal(await page.evaluate(() => globalThis.ends), 1);
}));

test("a refusal before the first view is seen: of a login, and of a connection", () => serving([], undefined, async (server) => {
    const token = await register(server, "hong");
    ctl(server, "ban", "hong", "for=1h", "enough", "of", "that");
    await server.kill();
    server.options.push("--guests", "none");
    await server.start();
    const banned = await remembering(server, "/?games", "hong", token);
    await form(banned, "Welcome");
    assert.match(await text(banned, ".refusal"), /enough of that/);
    const framed = await visit(browser, server.url + "/?embed");
    await until(framed, "the words", () => /you need a name/.test(document.querySelector("main.sheet-page p")?.textContent));
    assert.equal(await framed.$eval(".banner", (banner) => banner.hidden), true, "once is enough");
    const cut = await visit(browser, server.url + "/", { early: () => {
        globalThis.WebSocket = class {
            constructor() { setTimeout(() => this.onclose(), 20); }
            close() {}
        };
    } });
    await until(cut, "the banner", () => /Connection lost/.test(document.querySelector(".banner:not([hidden]) [role=alert]")?.textContent));
    assert.deepEqual([...banned.faults, ...cut.faults], []);
}));
