/* The worker that analyses a game: the engine as WebAssembly (wasm_analyse.h), with a core of its own. It is
 * given the events of the game, and posts { percent, graph } from time to time, and { isDone } at the end. */

const POST_MS = 300;

function translation() {
    return undefined; /* it answers with numbers only */
}

function parseGraph(text) {
    return text.split(" ").filter(Boolean).map((word) => {
        const [chance, mark, lost, best] = word.split("/");
        return { chance: Number(chance), mark: mark ?? "", lost: Number(lost ?? 0), best: best ?? "" };
    });
}

async function analyse({ files, events }) {
    const core = await Core.load(files, "analyse.wasm");
    for (const event of events) core.apply(event);
    const { calls, page } = core, analysis = calls.page_analysis_new(page);
    const post = (more) => {
        calls.page_analysis_graph(analysis, page);
        postMessage({ percent: calls.page_analysis_percent(analysis), graph: parseGraph(core.answer()), ...more });
    };
    let posted = 0;
    while (analysis !== 0 && calls.page_analysis_step(analysis) === 1) {
        if (performance.now() - posted < POST_MS) continue;
        posted = performance.now();
        post();
    }
    if (analysis !== 0) post({ isDone: true });
}

onmessage = ({ data }) => analyse(data).catch((error) => postMessage({ error: String(error) }));
