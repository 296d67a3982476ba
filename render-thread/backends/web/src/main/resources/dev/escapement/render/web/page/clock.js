/*
 * The clock of pictures, which chooses the moment that a frame shows. Its rule is that of RenderClock in Java: shown(t) = simNow(t - C) -
 * h, within the kept pictures, never backwards. h is one tick. In a pause it falls to 0, so that the still picture is the newest. C is the
 * interpolation delay: the largest recent delay of a picture. A picture's delay is the time from the instant at which frames reach the end
 * of the previous picture, and so need this one, to its arrival. So if fewer pictures arrive, C also includes the ticks that were not sent,
 * at every speed. All instants are nanoseconds. Instants of the page's clock are larger than those of the server's clock by an unknown
 * offset. C contains the offset, so only metrics need an estimate of it.
 */

import {quantile} from "./metrics.js";

const RECENT_NANOS = 10e9;
const RECENT_FRAMES = 600;
// While the page loads, C follows its target at once. The delays of the first half of that time are dropped, because they say nothing about
// later delays.
const WARM_UP_NANOS = 2e9;
const SLACK_NANOS = 0.5e6;
const MAX_VARIATION_NANOS = 250e6;
const LONGEST_SLEW_NANOS = 50e6;
const FAST_SLEW = 100;
const SLOW_SLEW = 500;
const FAR_NANOS = 20e6;
const MAX_PICTURES = 160;

/** The smallest and the largest of the latest values. */
class RecentExtremes {
    recent = [];
    smallest = Infinity;
    largest = -Infinity;

    add(nowNanos, value, keptNanos = RECENT_NANOS) {
        this.recent.push({nowNanos, value});
        this.recent = this.recent.filter(one => one.nowNanos > nowNanos - keptNanos);
        const values = this.recent.map(one => one.value);
        this.smallest = Math.min(...values);
        this.largest = Math.max(...values);
    }
}

const pieceAt = (picture, nanos) => picture.pieces.findLast(piece => piece.nanos <= nanos) ?? picture.pieces[0];

/** Simulated time at an instant of the server's clock, by the timeline of a picture. */
export function simAt(picture, nanos) {
    const piece = pieceAt(picture, nanos);
    return piece.simNanos + Math.max(0, nanos - piece.nanos) * piece.slope;
}

/** The first instant at which simulated time reaches a moment; Infinity if simulated time stands still before. */
function instantOf(picture, simNanos) {
    const piece = picture.pieces.findLast(one => one.simNanos < simNanos) ?? picture.pieces[0];
    return piece.nanos + (simNanos > piece.simNanos ? (simNanos - piece.simNanos) / piece.slope : 0);
}

const isPaused = picture => picture.pieces.at(-1).slope === 0;

/** How long simulated time has stood still at an instant; 0 before the current pause, in one within a tick, and while time runs. */
function pausedNanosAt(picture, nanos) {
    const first = 1 + picture.pieces.findLastIndex(piece => piece.slope > 0);
    const piece = picture.pieces.slice(first).findLast(one => one.nanos <= nanos);
    const ticks = piece ? piece.simNanos / picture.simNanos * picture.tick : 0;
    return piece && Math.abs(ticks - Math.round(ticks)) < 1e-4 ? nanos - piece.nanos : 0; // both simulated times are rounded
}

/** Measures how much too far, or not far enough, the picture moved from frame to frame. The formula is that of AnimationError in Java. */
export class AnimationError {
    recent = [];
    previous = null; // the simulated time that the previous frame showed
    stands = false; // a pause is not measured until the picture has moved again

    /** `nanos` is the display time on the server's clock, `sinceNanos` the time since the previous frame. Returns the signed error. */
    frame(simNanos, picture, nanos, sinceNanos) {
        let error = 0;
        const stood = this.stands;
        this.stands = isPaused(picture) || (stood && simNanos === this.previous);
        if (this.previous !== null && !this.stands && !stood && nanos - sinceNanos >= picture.pieces[0].nanos) {
            error = simNanos - this.previous - (simAt(picture, nanos) - simAt(picture, nanos - sinceNanos));
            this.recent = [...this.recent.slice(1 - RECENT_FRAMES), Math.abs(error)];
        }
        this.previous = simNanos;
        return error;
    }

    /** The mean of the absolute errors of the last 600 frames, in milliseconds. */
    get meanMillis() {
        return this.recent.reduce((sum, error) => sum + error, 0) / Math.max(1, this.recent.length) / 1e6;
    }
}

/**
 * Measures the difference between the way (distance) of a body in a frame and the way that a viewer expects, relative to the expected way.
 * The formula is that of Unevenness in Java, over the last 600 frames since a pause or another speed.
 */
export class Unevenness {
    recent = []; // the way of each frame, and the time since the frame before
    previous = null; // the simulated time that the previous frame showed

    frame(simNanos, sinceNanos) {
        const way = simNanos - this.previous;
        if (this.previous !== null && sinceNanos > 0 && (way > 0 || this.recent.length > 0)) { // frames show a pause only after C
            this.recent = [...this.recent.slice(1 - RECENT_FRAMES), {way, sinceNanos}];
        }
        this.previous = simNanos;
    }

    /** Begins again, because a viewer expects another speed from the next frame on. */
    restart() {
        this.recent = [];
        this.previous = null;
    }

    /** The mean and the 99th percentile, in percent. */
    get percent() {
        const sum = (values, of) => values.reduce((total, value) => total + of(value), 0);
        const speed = sum(this.recent, frame => frame.way) / sum(this.recent, frame => frame.sinceNanos);
        const parts = speed > 0 ? this.recent.map(frame => 100 * Math.abs(frame.way / (speed * frame.sinceNanos) - 1)) : [];
        return {mean: sum(parts, part => part) / Math.max(1, parts.length), p99: quantile(parts, 0.99) ?? 0};
    }
}

/** Keeps the latest pictures and chooses two for a frame: `a`, `b` and `alpha` between them. */
export class PictureClock {
    queue = [];
    delays = new RecentExtremes();
    transits = new RecentExtremes(); // arrival minus sending of each picture: at least the offset of the two clocks
    delay = 0;
    simNanos = -Infinity;
    holds = 0;
    isWarm = false;
    held = null; // the newest tick and C when the picture began to stand still
    previousNanos = null;

    constructor(tickNanos) {
        this.tickNanos = tickNanos;
    }

    get newest() {
        return this.queue.at(-1);
    }

    /** The server's time at an instant of the page. */
    serverNanos(nanos) {
        return nanos - this.transits.smallest;
    }

    add(picture) {
        const last = this.newest;
        const nanos = picture.arrivedNanos;
        if (last && picture.tick <= last.tick) { // the picture belongs to a new timeline
            this.queue = [];
            this.simNanos = -Infinity;
        } else if (last) {
            const needed = instantOf(picture, last.simNanos + this.tickNanos);
            if (Number.isFinite(needed)) {
                this.delays.add(nanos, nanos - needed, this.isWarm ? RECENT_NANOS : WARM_UP_NANOS / 2);
            }
        }
        this.transits.add(nanos, nanos - picture.sentNanos);
        this.startedNanos ??= nanos;
        this.queue.push(picture);
        while (this.queue.length > MAX_PICTURES || (this.queue.length > 4 && this.queue[2].simNanos <= this.simNanos)) {
            this.queue.shift();
        }
    }

    /** Chooses the moment of a frame. Returns false if there is nothing to show. */
    frame(nanos) {
        const {queue, newest} = this;
        if (!newest) {
            return false;
        }
        this.sinceNanos = nanos - (this.previousNanos ?? nanos);
        this.previousNanos = nanos;
        this.moveDelay(nanos, Math.min(this.sinceNanos, LONGEST_SLEW_NANOS));
        this.timelineNanos = nanos - this.delay;
        const behindNanos = this.tickNanos - Math.min(this.tickNanos, pausedNanosAt(newest, this.timelineNanos));
        const wanted = simAt(newest, this.timelineNanos) - behindNanos;
        if (wanted > newest.simNanos) {
            this.holds++;
            // The picture stands still, so C may grow by the missing time. The next picture decides how much of that stays.
            this.held ??= {tick: newest.tick, delay: this.delay};
            const {slope} = pieceAt(newest, this.timelineNanos);
            this.delay += slope > 0 ? (wanted - newest.simNanos) / slope : 0;
        }
        this.simNanos = Math.max(this.simNanos, queue[0].simNanos, Math.min(wanted, newest.simNanos));
        const index = Math.max(0, queue.findLastIndex(picture => picture.simNanos <= this.simNanos));
        this.a = queue[index];
        this.b = queue[index + 1] ?? this.a;
        this.alpha = this.a === this.b ? 0 : (this.simNanos - this.a.simNanos) / (this.b.simNanos - this.a.simNanos);
        return true;
    }

    moveDelay(nanos, elapsedNanos) {
        const least = this.delays.smallest;
        this.isWarm = nanos - this.startedNanos > WARM_UP_NANOS;
        if (least === Infinity) {
            this.delay = Math.max(this.delay, this.transits.smallest + SLACK_NANOS);
            return;
        }
        const target = Math.min(this.delays.largest, least + MAX_VARIATION_NANOS) + SLACK_NANOS;
        if (!this.isWarm) {
            this.delay = target;
        } else if (this.held && this.newest.tick > this.held.tick) {
            this.delay = Math.max(this.held.delay, Math.min(this.delay, target)); // skipped time is no delay, so C falls back
            this.held = null;
        } else if (target > this.delay) {
            this.delay = Math.min(target, this.delay + elapsedNanos / FAST_SLEW);
        } else if (!this.held) {
            this.delay = Math.max(target, this.delay - elapsedNanos / (this.delay - target > FAR_NANOS ? FAST_SLEW : SLOW_SLEW));
        }
    }
}
