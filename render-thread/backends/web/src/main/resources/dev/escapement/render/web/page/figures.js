/*
 * Keeps the figures of the last ticks and frames, and finds the stutters among them. Instants are the server's nanoseconds.
 */

/** The columns of a tick's row; `period` is added here. */
export const T = {tick: 0, due: 1, started: 2, stepped: 3, published: 4, ended: 5, givenUp: 6, commands: 7, events: 8, inputs: 9,
    firstInput: 10, moved: 11, bodies: 12, period: 13};

/** The columns of a frame's row; the last four are added here from the frame before. */
export const F = {display: 0, completed: 1, shownSim: 2, cover: 3, holds: 4, clamps: 5, error: 6, lookBehind: 7, tick: 8, since: 9, held: 10,
    clamped: 11, afterHold: 12};

export const PAGE = "this page";
export const VISIBLE_ERROR_NANOS = 1e6;
const MOST_STUTTERS = 500;

const millis = (name, from, to) => ({name, unit: "ms", value: row => (row[to] - row[from]) / 1e6});

/** What can be shown of ticks, by group. */
export const TICK_GROUPS = {
    "Tick times (ms)": [
        millis("lateness", T.due, T.started),
        millis("step", T.started, T.stepped),
        millis("capture", T.stepped, T.published),
        millis("publish delay", T.due, T.published),
        {name: "input latency", unit: "ms", value: row => row[T.firstInput] ? (row[T.published] - row[T.firstInput]) / 1e6 : null},
    ],
    "Load": [
        {name: "budget used", unit: "%", value: row => 100 * (row[T.ended] - row[T.started]) / row[T.period]},
        {name: "given up", unit: "ms", value: row => row[T.givenUp] / 1e6},
    ],
    "World": [
        {name: "bodies moved", unit: "", value: row => row[T.moved] < 0 ? null : row[T.moved]},
        {name: "events", unit: "", value: row => row[T.events]},
        {name: "commands", unit: "", value: row => row[T.commands]},
    ],
};

/** What can be shown of the frames of each view. */
export const FRAME_GROUPS = {
    "Animation error (ms)": {unit: "ms", value: row => Math.abs(row[F.error]) / 1e6},
    "Look-behind (ms)": {unit: "ms", value: row => row[F.lookBehind] / 1e6},
    "Holds": {unit: "", value: row => row[F.held]},
    "Clamps": {unit: "", value: row => row[F.clamped]},
};

/** The index of the first row whose column is at least a value; rows are sorted by that column. */
export function lowerBound(rows, column, value) {
    let from = 0;
    let to = rows.length;
    while (from < to) {
        const middle = (from + to) >> 1;
        if (rows[middle][column] < value) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

/** p50, p99 and the largest of values, which are sorted here; null if there are none. */
export function percentiles(values) {
    if (values.length === 0) {
        return null;
    }
    values.sort((a, b) => a - b);
    const at = part => values[Math.min(values.length - 1, Math.floor(part * values.length))];
    return {p50: at(0.5), p99: at(0.99), max: values.at(-1)};
}

export class Figures {

    constructor(tickNanos, keptNanos) {
        this.tickNanos = tickNanos;
        this.keptNanos = keptNanos;
        this.ticks = [];
        this.frames = new Map([[PAGE, []]]); // name of a view -> rows
        this.pauses = [];
        this.away = [];
        this.stutters = []; // {nanos, tick}
        this.scale = 1;
    }

    addTicks(rows) {
        for (const row of rows) {
            const last = this.ticks.at(-1);
            if (row[T.tick] <= last?.[T.tick]) {
                continue; // sent again after a new connection
            }
            const since = last ? row[T.due] - last[T.due] - Math.max(row[T.givenUp], last[T.givenUp]) : 0;
            const follows = row[T.tick] === last?.[T.tick] + 1 && since > 0 && since < 2 * last[T.period]; // and no pause lies between
            row[T.period] = follows ? since : this.tickNanos / this.scale;
            this.ticks.push(row);
            if (row[T.published] - row[T.due] > row[T.period] || row[T.givenUp] > 0) {
                this.stutter(row[T.published], row[T.tick]);
            }
        }
        this.trim(this.ticks, T.published);
    }

    addFrames(name, rows) {
        const kept = this.frames.get(name) ?? [];
        this.frames.set(name, kept);
        for (const row of rows) {
            const last = kept.at(-1) ?? row;
            row[F.since] = row[F.display] - last[F.display];
            row[F.held] = Math.max(0, row[F.holds] - last[F.holds]);
            row[F.clamped] = Math.max(0, row[F.clamps] - last[F.clamps]);
            row[F.afterHold] = last[F.held];
            kept.push(row);
            if ((row[F.held] > 0 && row[F.afterHold] === 0) || Math.abs(row[F.error]) > VISIBLE_ERROR_NANOS) {
                this.stutter(row[F.display], row[F.tick]);
            }
        }
        this.trim(kept, F.display);
    }

    addMachine(message) {
        this.pauses.push(...message.pauses);
        this.away.push(...message.away);
        this.trim(this.pauses, 1);
        this.trim(this.away, 2);
    }

    /** Stutters of the same tick are one. */
    stutter(nanos, tick) {
        if (!this.stutters.some(other => other.tick === tick)) {
            this.stutters.push({nanos, tick});
            this.stutters.splice(0, Math.max(0, this.stutters.length - MOST_STUTTERS));
        }
    }

    trim(rows, column) {
        const oldest = (rows.at(-1)?.[column] ?? 0) - this.keptNanos;
        if (rows.length > 1000 && rows[500][column] < oldest) {
            rows.splice(0, lowerBound(rows, column, oldest));
        }
    }

    row(tick) {
        const row = this.ticks[lowerBound(this.ticks, T.tick, tick)];
        return row?.[T.tick] === tick ? row : null;
    }

    /** When a tick was published; an estimate if its row is not kept. */
    nanosOf(tick) {
        const row = this.ticks[Math.min(this.ticks.length - 1, lowerBound(this.ticks, T.tick, tick))];
        return row ? row[T.published] + (tick - row[T.tick]) * row[T.period] : 0;
    }

    /** The last tick that was published at an instant, with a part of the next one. */
    tickAt(nanos) {
        const next = lowerBound(this.ticks, T.published, nanos);
        const row = this.ticks[Math.max(0, next - 1)];
        return row ? row[T.tick] + Math.min(1, Math.max(0, (nanos - row[T.published]) / row[T.period])) : 0;
    }
}
