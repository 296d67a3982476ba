/*
 * Which moment a frame shows. The same rule as RenderClock in Java: shown(t) = simNow(t - C) - h, within the pictures that are there, never
 * backwards. h is one tick. C covers the delay of arrival: of a picture, when it arrived less when it was needed, which is when frames left
 * the picture before. So where fewer pictures arrive C also covers the ticks that were left out, at every speed. All instants are
 * nanoseconds; those of the page's clock are larger than the server's by an unknown offset, which C contains, so that only figures need an
 * estimate of it.
 */

const SLICES = 10;

/** The smallest and the largest value of the last 10 s, in slices of a second. */
export class RecentExtremes {

    constructor() {
        this.slices = [];
    }

    add(nowNanos, value) {
        const start = Math.floor(nowNanos / 1e9);
        if (this.slices.at(-1)?.start !== start) {
            this.slices = this.slices.filter(slice => slice.start > start - SLICES);
            this.slices.push({start, smallest: Infinity, largest: -Infinity});
        }
        const last = this.slices.at(-1);
        last.smallest = Math.min(last.smallest, value);
        last.largest = Math.max(last.largest, value);
    }

    get smallest() {
        return this.slices.reduce((least, slice) => Math.min(least, slice.smallest), Infinity);
    }

    get largest() {
        return this.slices.reduce((most, slice) => Math.max(most, slice.largest), -Infinity);
    }
}

function pieceAt(picture, nanos) {
    let piece = picture.pieceCount - 1;
    while (piece > 0 && nanos < picture.pieces[3 * piece]) {
        piece--;
    }
    return 3 * piece;
}

/** Simulated time at an instant of the server's clock, by the timeline of a picture. */
export function simAt(picture, nanos) {
    const at = pieceAt(picture, nanos);
    return picture.pieces[at + 1] + Math.max(0, nanos - picture.pieces[at]) * picture.pieces[at + 2];
}

/** The first instant at which simulated time reaches a moment; Infinity if it stands still before. */
export function instantOf(picture, simNanos) {
    const pieces = picture.pieces;
    let piece = picture.pieceCount - 1;
    while (piece > 0 && pieces[3 * piece + 1] >= simNanos) {
        piece--;
    }
    const left = simNanos - pieces[3 * piece + 1];
    return left <= 0 ? pieces[3 * piece] : pieces[3 * piece + 2] > 0 ? pieces[3 * piece] + left / pieces[3 * piece + 2] : Infinity;
}

const FRAMES = 600;

/** By how much the picture moved too far or not far enough from frame to frame; the same formula as AnimationError in Java. */
export class AnimationError {

    constructor() {
        this.recent = new Float64Array(FRAMES);
        this.count = 0;
        this.previous = null;
    }

    /** `nanos` is the display time on the server's clock, `sinceNanos` the time since the frame before. Returns the signed error. */
    frame(simNanos, picture, nanos, sinceNanos) {
        let error = 0;
        if (this.previous !== null && nanos - sinceNanos >= picture.pieces[0]) {
            const trueStep = simAt(picture, nanos) - simAt(picture, nanos - sinceNanos);
            error = simNanos - this.previous - trueStep;
            this.recent[this.count++ % FRAMES] = Math.abs(error);
        }
        this.previous = simNanos;
        return error;
    }

    /** The mean of the absolute errors of the last 600 frames, in milliseconds. */
    get meanMillis() {
        const count = Math.min(this.count, FRAMES);
        return count === 0 ? 0 : this.recent.subarray(0, count).reduce((sum, error) => sum + error, 0) / count / 1e6;
    }
}

// C follows at once while the page loads, and what was learned in the first half of that time says nothing about later.
const WARM_UP_NANOS = 2e9;
const SLACK_NANOS = 0.5e6;
const MOST_VARIATION_NANOS = 250e6;
const LONGEST_SLEW_NANOS = 50e6;
const FAST_SLEW = 100;
const SLOW_SLEW = 500;
const FAR_NANOS = 20e6;
const MOST_PICTURES = 160;

/** Keeps the latest pictures and chooses what a frame shows: `a`, `b` and `alpha` between them. */
export class PictureClock {

    constructor(tickNanos) {
        this.tickNanos = tickNanos;
        this.queue = [];
        this.delays = new RecentExtremes();
        this.transits = new RecentExtremes(); // arrived - sent: at least the offset of the two clocks
        this.received = 0;
        this.cover = 0;
        this.simNanos = -Infinity;
        this.holds = 0;
        this.clamps = 0;
        this.loaded = false;
        this.isWarm = false;
        this.held = null;
        this.previousNanos = null;
        this.alpha = 0;
    }

    get newest() {
        return this.queue.at(-1);
    }

    /** Server's time at an instant of the page. */
    serverNanos(nanos) {
        return nanos - this.transits.smallest;
    }

    add(picture) {
        const last = this.newest;
        if (last && picture.tick <= last.tick) { // a picture of a new timeline
            this.queue = [];
            this.simNanos = -Infinity;
        } else if (last) {
            this.learn(last, picture);
        }
        this.transits.add(picture.arrivedNanos, picture.arrivedNanos - picture.sentNanos);
        this.startedNanos ??= picture.arrivedNanos;
        if (!this.loaded && picture.arrivedNanos - this.startedNanos > WARM_UP_NANOS / 2) {
            this.loaded = true;
            this.delays = new RecentExtremes();
        }
        this.received++;
        this.queue.push(picture);
        this.dropUnused();
    }

    learn(last, picture) {
        const needed = instantOf(picture, last.simNanos + this.tickNanos);
        if (Number.isFinite(needed)) {
            this.delays.add(picture.arrivedNanos, picture.arrivedNanos - needed);
        }
    }

    dropUnused() {
        // The views that are compared look back less far, but need the picture before the newest.
        while (this.queue.length > MOST_PICTURES || (this.queue.length > 4 && this.queue[2].simNanos <= this.simNanos)) {
            this.queue.shift();
        }
    }

    /** Chooses the moment of a frame. Returns whether there is something to show. */
    frame(nanos) {
        if (this.queue.length === 0) {
            return false;
        }
        const newest = this.newest;
        this.sinceNanos = this.previousNanos === null ? 0 : nanos - this.previousNanos;
        this.previousNanos = nanos;
        this.moveCover(nanos, Math.min(this.sinceNanos, LONGEST_SLEW_NANOS));
        this.timelineNanos = nanos - this.cover;
        const wanted = simAt(newest, this.timelineNanos) - this.tickNanos;
        let shown = wanted;
        if (wanted > newest.simNanos) {
            this.holds++;
            this.missing(wanted - newest.simNanos);
            shown = newest.simNanos;
        } else if (wanted < this.queue[0].simNanos) {
            this.clamps++;
            shown = this.queue[0].simNanos;
        }
        this.simNanos = Math.max(this.simNanos, shown);
        this.choosePair();
        return true;
    }

    moveCover(nanos, elapsedNanos) {
        const least = this.delays.smallest;
        this.isWarm = nanos - this.startedNanos > WARM_UP_NANOS;
        if (!Number.isFinite(least)) {
            this.cover = Math.max(this.cover, this.transits.smallest + SLACK_NANOS);
            return;
        }
        const target = Math.min(this.delays.largest, least + MOST_VARIATION_NANOS) + SLACK_NANOS;
        if (!this.isWarm) {
            this.cover = target;
        } else if (this.held && this.newest.tick > this.held.tick) {
            this.cover = Math.max(this.held.cover, Math.min(this.cover, target)); // time given up is no delay: C goes back
            this.held = null;
        } else if (target > this.cover) {
            this.cover = Math.min(target, this.cover + elapsedNanos / FAST_SLEW);
        } else if (!this.held) {
            this.cover = Math.max(target, this.cover - elapsedNanos / (this.cover - target > FAR_NANOS ? FAST_SLEW : SLOW_SLEW));
        }
    }

    /** The picture stands still, so C may grow by the missing time; how far it stays there is decided when a picture arrives. */
    missing(simNanos) {
        this.held ??= {tick: this.newest.tick, cover: this.cover};
        const slope = this.newest.pieces[pieceAt(this.newest, this.timelineNanos) + 2];
        if (slope > 0) {
            this.cover += simNanos / slope;
        }
    }

    choosePair() {
        let i = this.queue.length - 1;
        while (i > 0 && this.queue[i].simNanos > this.simNanos) {
            i--;
        }
        this.a = this.queue[i];
        this.b = this.queue[Math.min(i + 1, this.queue.length - 1)];
        this.alpha = this.a === this.b ? 0 : (this.simNanos - this.a.simNanos) / (this.b.simNanos - this.a.simNanos);
    }

    /** What a view shows that takes the newest picture published before t - C. */
    newestPublished() {
        const b = this.queue.findLast(picture => picture.publishedNanos <= this.timelineNanos) ?? this.queue[0];
        return {a: b, b, alpha: 0, simNanos: b.simNanos};
    }

    /** What a view shows that blends the two latest pictures published before t - C, by the time since the newer one was. */
    latestByArrival() {
        const {b} = this.newestPublished();
        const a = this.queue[Math.max(0, this.queue.indexOf(b) - 1)];
        const between = b.publishedNanos - a.publishedNanos;
        const alpha = between > 0 ? Math.min(1, Math.max(0, (this.timelineNanos - b.publishedNanos) / between)) : 1;
        return {a, b, alpha, simNanos: a.simNanos + alpha * (b.simNanos - a.simNanos)};
    }
}
