// The server as programs see it that others wrote: npm's ws, websocket and undici, wget, curl, and Python's urllib.
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { Server, build, patiently } from "./house.mjs";

const require = createRequire(join(process.cwd(), build, "web-node", "package.json"));
const { Agent, WebSocket: UndiciSocket, request } = require("undici");
const server = new Server(["--web", "play"]), dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
before(() => server.start());
after(async () => {
    await dispatcher.destroy();
    await server.remove();
});

const get = (path, options = {}) => request(server.url + path, { dispatcher, ...options });
const script = async () => /\/a\/[^"]*\/page\.js/.exec(await (await get("/")).body.text())[0];
// What a program prints, as bytes.
const printed = async (program, ...args) =>
    (await promisify(execFile)(program, args, { encoding: "buffer", maxBuffer: 1e7, env: { ...process.env, HOME: server.directory } })).stdout;

// Each opens a WebSocket, and calls back with how to send and how to close.
const libraries = {
    ws(url, heard, opened) {
        const socket = new (require("ws"))(url, ["janggi.1"], { rejectUnauthorized: false });
        socket.on("message", (data) => heard(String(data)));
        socket.on("open", () => opened((line) => socket.send(line), () => socket.close()));
    },
    websocket(url, heard, opened) {
        const client = new (require("websocket").client)({ tlsOptions: { rejectUnauthorized: false } });
        client.on("connect", (connection) => {
            connection.on("message", ({ utf8Data }) => heard(utf8Data));
            opened((line) => connection.sendUTF(line), () => connection.close());
        });
        client.connect(url, "janggi.1");
    },
    undici(url, heard, opened) {
        const socket = new UndiciSocket(url, { protocols: ["janggi.1"], dispatcher });
        socket.onmessage = ({ data }) => heard(data);
        socket.onopen = () => opened((line) => socket.send(line), () => socket.close());
    },
};
for (const [name, open] of Object.entries(libraries))
    test(`npm's ${name} logs in`, async () => {
        let close;
        const lines = [];
        await patiently(new Promise((done) => open(server.url.replace("https", "wss") + "/ws", (line) => {
            lines.push(line);
            if (/^OK login /.test(line)) done();
        }, (send, end) => {
            close = end;
            send("login " + name);
        })), `OK login for ${name} after ${lines}`);
        assert.match(lines[0], /^\* janggi\/1 /);
        close();
    });

test("an answer has its date, and 426 says what to upgrade to", async () => {
    const page = await get("/"), socket = await new Promise((done) =>
        require("node:https").get(server.url + "/ws", { rejectUnauthorized: false }, done));
    assert.equal(new Date(page.headers.date).toUTCString(), page.headers.date);
    assert.equal(socket.statusCode, 426);
    assert.deepEqual([socket.headers.connection, socket.headers.upgrade, socket.headers["sec-websocket-version"]], ["upgrade, close", "websocket", "13"]);
    await page.body.dump();
    socket.resume();
});

test("a file is packed for those who say that they unpack it", async () => {
    const path = await script(), packed = await get(path, { headers: { "accept-encoding": "br, gzip" } });
    assert.deepEqual([packed.headers["content-encoding"], packed.headers.vary], ["gzip", "Accept-Encoding"]);
    await packed.body.dump();
    for (const takes of [undefined, "identity", "gzip;q=0", "gzip ;q=0.0", "br"]) {
        const plain = await get(path, { headers: takes ? { "accept-encoding": takes } : {} });
        assert.deepEqual([plain.headers["content-encoding"], plain.headers.vary], [undefined, "Accept-Encoding"], takes);
        assert.deepEqual(Buffer.from(await plain.body.arrayBuffer()), readFileSync(join(build, "web", "page.js")));
    }
    for (const words of [["curl", "-ks"], ["curl", "-ks", "--compressed"], ["wget", "--no-check-certificate", "-qO-"],
        ["wget", "--no-check-certificate", "-qO-", "--compression=gzip"]])
        assert.deepEqual(await printed(...words, server.url + path), readFileSync(join(build, "web", "page.js")), words.join(" "));
});

test("wget, curl with HTTP/1.0 and with the whole address, and Python's urllib get the page", async () => {
    const urllib = "import ssl, sys, urllib.request\ncontext = ssl.create_default_context()\ncontext.check_hostname = False\n" +
        "context.verify_mode = ssl.CERT_NONE\nprint(urllib.request.urlopen(sys.argv[1], context=context).read().decode())";
    for (const words of [["wget", "--no-check-certificate", "-qO-"], ["curl", "-ks"], ["curl", "-ks", "--no-alpn"], ["curl", "-ks", "--http1.0"],
        ["curl", "-ks", "--request-target", server.url + "/"], ["python3", "-c", urllib]])
        assert.match(String(await printed(...words, server.url + "/")), /<main>[^]*<\/main>/, words.join(" "));
    const status = (...words) => printed("curl", "-ks", "-o", "/dev/null", "-w", "%{http_code}", ...words, server.url + "/");
    assert.equal(String(await status("-X", "BREW")), "501");
    assert.equal(String(await status("--request-target", "https://elsewhere.example/")), "421");
});

test("a certificate with names keeps browsers on TLS", async () => {
    const [cert, key, known] = ["web.crt", "web.key", "hsts"].map((name) => join(server.directory, name));
    execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out", cert,
        "-days", "2", "-subj", "/CN=game.example", "-addext", "subjectAltName=DNS:game.example"], { stdio: "ignore" });
    const named = new Server(["--web", "play", "--web-cert", cert, "--web-key", key]);
    await named.start();
    try {
        const curl = ["-s", "--cacert", cert, "--resolve", `game.example:${named.port}:127.0.0.1`, "--hsts", known];
        await printed("curl", ...curl, `https://game.example:${named.port}/`);
        assert.match(readFileSync(known, "utf8"), /^game\.example "/m);
    } finally {
        await named.remove();
    }
    assert.equal((await get("/")).headers["strict-transport-security"], undefined, "not of one that the server made");
});
