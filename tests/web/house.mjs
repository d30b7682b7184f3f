// Shared by the tests of the page: a server, players with raw lines, and a browser.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer, connect as connectTo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { createInterface } from "node:readline";
import tls from "node:tls";

const PATIENCE_MS = Number(process.env.PATIENCE_MS ?? 180000); // the disk may hang
export const build = process.env.BUILD ?? "build";
export const pictures = join(build, "web-pictures");
mkdirSync(pictures, { recursive: true });

// Fulfilled like promise, or rejected with what was waited for.
export function patiently(promise, what) {
    let timer;
    const late = new Promise((_, fail) => {
        timer = setTimeout(() => fail(new Error("waited in vain for " + what)), PATIENCE_MS);
    });
    return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

export class Server {
    constructor(options, access = ["--access", "open"]) {
        this.access = access;
        this.directory = mkdtempSync(join(tmpdir(), "janggi-web-"));
        this.options = options;
        this.port = 0;
    }

    async start() {
        this.process = spawn(join(build, "janggid"), ["--data", join(this.directory, "data"), "--allow-root", "--quotas", "off",
            ...this.access, "--listen", `127.0.0.1:${this.port}`, ...this.options], { stdio: ["ignore", "pipe", "inherit"] });
        const lines = createInterface({ input: this.process.stdout });
        this.port = await patiently(new Promise((done) => lines.on("line", (line) => {
            const found = /^listening on \S*:(\d+) /.exec(line);
            this.code = /\/join#(\S+)/.exec(line)?.[1] ?? this.code;
            if (found) done(Number(found[1]));
        })), "the server");
        this.url = `https://127.0.0.1:${this.port}`;
        if (this.options.includes("--invite"))
            await patiently(new Promise((done) => { const look = () => this.code === undefined ? setTimeout(look, 20) : done(); look(); }), "the link");
    }

    kill(signal = "SIGKILL") {
        const ended = new Promise((done) => this.process.once("exit", done));
        this.process.kill(signal);
        return ended;
    }

    async remove() {
        if (this.process.exitCode === null && this.process.signalCode === null) await this.kill("SIGTERM");
        rmSync(this.directory, { recursive: true, force: true });
    }
}

// The way from a page to the server: every byte takes delayMs in each direction; a frozen way keeps its connections and
// carries nothing, as a mobile phone's does in a tunnel; cut() ends all connections.
export class Relay {
    constructor(server) {
        this.server = server;
        this.delayMs = 0;
        this.isFrozen = false;
        this.sockets = new Set();
    }

    async start() {
        this.listener = createServer((near) => this.carry(near));
        await new Promise((done) => this.listener.listen(0, "127.0.0.1", done));
        this.url = `https://127.0.0.1:${this.listener.address().port}`;
        return this;
    }

    carry(near) {
        const far = connectTo(this.server.port, "127.0.0.1");
        for (const [from, to] of [[near, far], [far, near]]) {
            this.sockets.add(from);
            from.on("error", () => {});
            from.on("data", (bytes) => this.later(() => to.write(bytes)));
            from.on("close", () => {
                this.sockets.delete(from);
                this.later(() => to.destroy());
            });
        }
    }

    // In the order of the calls.
    later(run) {
        setTimeout(() => this.isFrozen ? this.held.push(run) : run(), this.delayMs);
    }

    freeze() {
        this.isFrozen = true;
        this.held = [];
    }

    thaw() {
        this.isFrozen = false;
        for (const run of this.held) run();
    }

    cut() {
        for (const socket of this.sockets) socket.destroy();
    }

    stop() {
        this.listener.close();
        this.cut();
    }
}

// A player with raw lines, as a terminal has them.
export class Player {
    constructor(server) {
        this.server = server;
        this.lines = [];
        this.at = 0;
        this.wake = () => {};
    }

    async connect() {
        this.socket = tls.connect({ port: this.server.port, host: "127.0.0.1", rejectUnauthorized: false, ALPNProtocols: ["janggi/1"] });
        this.socket.on("error", () => {});
        createInterface({ input: this.socket }).on("line", (line) => {
            this.lines.push(line);
            this.wake();
        });
        await this.hear(/^\* janggi/);
        return this;
    }

    say(line) {
        this.socket.write(line + "\n");
    }

    // The next line that fits; those before it are passed over.
    async hear(pattern) {
        return patiently((async () => {
            for (;;) {
                while (this.at < this.lines.length) {
                    const found = pattern.exec(this.lines[this.at++]);
                    if (found) return found;
                }
                await new Promise((done) => { this.wake = done; });
            }
        })(), `${pattern} after ${this.lines.slice(-3).join(" / ")}`);
    }

    async ask(line, pattern) {
        this.say(line);
        return this.hear(pattern ?? /^(OK|ERR)/);
    }

    // The events of a game that came, in their order.
    events(game) {
        const begin = `! game ${game} `;
        return [...new Set(this.lines.filter((line) => line.startsWith(begin)).map((line) => line.slice(begin.length)))];
    }

    close() {
        this.socket.destroy();
    }
}

// Two players, and a game between them that has begun. Options of the seek.
export async function begin(server, options = "time=none", lineups = ["NBNB", "NBNB"]) {
    const red = await new Player(server).connect(), blue = await new Player(server).connect();
    const names = ["hong" + server.count, "kim" + server.count];
    server.count = (server.count ?? 0) + 1;
    await red.ask("login " + names[0].replace("undefined", ""), /^OK login/);
    await blue.ask("login " + names[1].replace("undefined", ""), /^OK login/);
    const seek = (await red.ask("seek side=red " + options, /^OK seek id=(\d+)/))[1];
    const game = (await blue.ask("accept " + seek, /^OK accept game=(\d+)/))[1];
    const order = /rules=kja/.test(options) ? [blue, red] : [red, blue];
    for (const player of [red, blue]) await player.ask(`setup game=${game} ${lineups[player === red ? 0 : 1]}`, /^OK setup/);
    return { red, blue, game, order };
}

// Plays moves in turn, e.g. "a3a4 a6a5".
export async function play(match, moves) {
    for (const move of moves.split(" ")) {
        const answer = await match.order[0].ask(`move game=${match.game} ${move}`, /^(OK move|ERR .*)/);
        if (answer[1] !== "OK move") throw new Error(`${move}: ${answer[1]}`);
        match.order.reverse();
    }
}

const require = createRequire(join(process.cwd(), build, "web-node", "package.json"));
const axe = require("axe-core").source;
const { HtmlValidate } = require("html-validate");
// Not how the words are written, as the browser writes what it shows in its own way; nor styles, which scripts set, and
// which the server's policy forbids in what it sends.
const html = new HtmlValidate({ extends: ["html-validate:recommended"], rules: { "doctype-style": "off", "attribute-boolean-style": "off", "attribute-empty-style": "off", "no-inline-style": "off" } });

// HTML that the server sent, or that the browser shows.
async function validate(text, name) {
    const { results } = await html.validateString(text);
    const found = results.flatMap(({ messages }) => messages.map(({ ruleId, message, line }) => `${ruleId}: ${message}: ${text.split("\n")[line - 1].slice(0, 200)}`));
    if (found.length > 0) throw new Error(`html-validate about ${name}: ${found.join("; ")}`);
}

// Everything that the server sends reaches a page so many ms later: a test that passes only in a page that is
// quicker than a terminal fails.
const lagMs = Number(process.env.LAG_MS ?? 0);
function arriveLate(ms) {
    globalThis.WebSocket = class extends WebSocket {
        get onmessage() {
            return this.taken;
        }
        set onmessage(take) {
            this.taken = take;
            super.onmessage = (event) => setTimeout(() => take(event), ms);
        }
    };
}

export async function openBrowser(options = {}) {
    const puppeteer = require("puppeteer-core");
    return puppeteer.launch({
        timeout: PATIENCE_MS, protocolTimeout: 2 * PATIENCE_MS,
        executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", headless: true, acceptInsecureCerts: true,
        args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--lang=en-US"], ...options,
    });
}

// The server runs while the tests of a file do, and opened(browser) is called before the first.
export function staged(server, opened) {
    let browser;
    before(async () => {
        await server.start();
        browser = await openBrowser();
        opened(browser);
    });
    after(async () => {
        await browser?.close();
        await server.remove();
    });
}

// A new tab, which waits as long as these tests do.
export async function tab(context) {
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    page.setDefaultNavigationTimeout(PATIENCE_MS);
    return page;
}

// A page on its own, as a visitor who was never here. What the browser complains about fails the test.
export async function visit(browser, url, { width = 1280, height = 800, dark = false, language = "en-US", script = true, early = null, earlyWith = null, page = null } = {}) {
    page ??= await tab(await browser.createBrowserContext());
    page.faults = [];
    page.hasScript = script;
    page.on("console", (message) => ["error", "warn"].includes(message.type()) && page.faults.push(message.text()));
    page.on("pageerror", (error) => page.faults.push(String(error.stack ?? error)));
    await page.setViewport({ width, height, deviceScaleFactor: 1 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
    await page.setJavaScriptEnabled(script);
    await page.setExtraHTTPHeaders({ "Accept-Language": language });
    await page.evaluateOnNewDocument((wanted) => {
        Object.defineProperty(navigator, "language", { get: () => wanted });
        document.addEventListener("securitypolicyviolation", (event) => console.error("CSP " + event.violatedDirective));
    }, language);
    if (lagMs > 0) await page.evaluateOnNewDocument(arriveLate, lagMs);
    if (early !== null) await page.evaluateOnNewDocument(early, earlyWith);
    page.answer = await page.goto(url, { waitUntil: "load" });
    if (/text\/html/.test(page.answer?.headers()["content-type"])) await validate(await page.answer.text(), url);
    return page;
}

// The server has no files whose paths fit, as after an update.
export async function refuse(page, pattern) {
    await page.setRequestInterception(true);
    page.on("request", (request) => pattern.test(new URL(request.url()).pathname) ? request.respond({ status: 404, contentType: "text/html", body: "<p>no" }) : request.continue());
}

// A state of the page: its picture is kept, and neither html-validate nor axe-core finds anything in it. (Text on the wood of the
// board has no plain background that axe could compare it with; it says so as "incomplete".)
export async function picture(page, name) {
    await page.screenshot({ path: join(pictures, name + ".png") });
    await validate(await page.content(), name);
    if (!page.hasScript) return; /* axe is a script */
    await page.evaluate(axe);
    const found = await page.evaluate(async () => (await globalThis.axe.run(document)).violations
        .map((each) => `${each.id}: ${each.help}: ${each.nodes.map((node) => node.html).join(" ")}`));
    if (found.length > 0) throw new Error(`axe-core about ${name}: ${found.join("; ")}`);
}

export const text = (page, selector) => page.$eval(selector, (element) => element.textContent);
export const point = (name) => `[data-point="${"ABCDEFGHI".indexOf(name[0]) + 9 * Number(name[1])}"]`;
// Waits for the button, and presses it.
export const press = (page, words) => until(page, "a button " + words, (wanted) => {
    const button = [...document.querySelectorAll("button")].find((each) => each.textContent === wanted);
    button?.click();
    return button !== undefined;
}, words);

export const box = (page, selector) => page.$eval(selector, (element) => {
    const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
    return { left, top, right, bottom, width, height };
});

// How clearly each of these colours of the page stands out from each of those (WCAG 2.2). A colour: [selector, property].
export function contrasts(page, fronts, backs) {
    return page.evaluate((front, back) => {
        const light = ([selector, property]) => {
            const element = document.querySelector(selector), style = getComputedStyle(element);
            const [r, g, b, a = 1] = style[property].match(/[\d.]+/g).map(Number), opacity = a * Number(style.opacity);
            if (opacity < 1) throw new Error(`${selector} lets ${1 - opacity} of what is below it through`);
            const [R, G, B] = [r, g, b].map((part) => part / 255 <= 0.04045 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4);
            return 0.2126 * R + 0.7152 * G + 0.0722 * B + 0.05;
        };
        return front.flatMap((one) => back.map((other) => {
            const [x, y] = [light(one), light(other)];
            return { of: one[0], on: other[0], ratio: Math.max(x, y) / Math.min(x, y) };
        }));
    }, fronts, backs);
}

export async function until(page, what, test, ...args) {
    await page.waitForFunction(test, { timeout: PATIENCE_MS, polling: 50 }, ...args).catch((error) => {
        throw new Error(`waited in vain for ${what}: ${error.message} ${page.faults.join(" / ")}`);
    });
}
