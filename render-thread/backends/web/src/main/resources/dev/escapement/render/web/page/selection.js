/* The selected body, with its values and its path. */
import {Vector3} from "three";
import {byId, make} from "./dom.js";
import {METRES_PER_UNIT} from "./protocol.js";

const PATH_SECONDS = 5;

const point = (position, tick) => Object.assign(position, {tick});

export class Selection {
    slot = -1;

    /** Creates the selection. `page` has view, decoder, past and ticksPerSecond. */
    constructor(page) {
        this.page = page;
    }

    /** Selects the body of a slot; -1 for none. */
    select(slot) {
        const {view, decoder, past} = this.page;
        this.generation = decoder?.live.generation[slot];
        const isThere = this.generation > 0;
        view.bodies.selected = this.slot = isThere ? slot : -1;
        view.bodies.selectedSpeed = 0;
        this.points = []; // the place of each picture in the world, {x, y, z, tick}
        past?.kept.forEach(picture => this.add(picture));
        this.line = [...this.points]; // the path until now; the frames extend it
        byId("body").hidden = byId("bodyOptions").hidden = !isThere;
        byId("nobody").hidden = isThere;
        byId("follow").checked &&= isThere;
    }

    add({generation, units, origin, tick}) {
        if (this.slot >= 0 && generation[this.slot] === this.generation) {
            this.points.push(point(new Vector3().fromArray(units, 3 * this.slot).multiplyScalar(METRES_PER_UNIT).add(origin), tick));
        }
    }

    /** Draws the path and follows the body. Called each frame; `tick` is the shown one. */
    frame(tick) {
        const {hello, view, mode, ticksPerSecond} = this.page;
        const at = view.bodies.position(this.slot);
        if (at && mode === "live") {
            this.line.push(point(at.clone().add(view.origin), tick));
        }
        const oldest = this.points.at(-1)?.tick - PATH_SECONDS * ticksPerSecond;
        this.points = this.points.filter(one => one.tick >= oldest + (PATH_SECONDS - hello.historySeconds) * ticksPerSecond);
        this.line = this.line.filter(one => one.tick >= oldest);
        view.pathPoints(at ? this.points.filter(one => one.tick >= oldest) : []);
        view.pathLine(at ? this.line : []);
        if (at && byId("follow").checked) {
            view.camera.position.add(at).sub(view.controls.target);
            view.controls.target.copy(at);
        }
    }

    /** Returns the values of the body in the ticks whose instants are known. */
    rows() {
        const {metrics, ticksPerSecond} = this.page;
        const published = new Map(metrics.ticks.map(row => [row.tick, row.published]));
        return this.points.map((at, index, all) => {
            const before = all[index - 1] ?? at;
            const speed = at === before ? null : at.distanceTo(before) * ticksPerSecond / (at.tick - before.tick);
            return {x: at.x, y: at.y, z: at.z, speed, published: published.get(at.tick)};
        });
    }

    /** Shows the values of the body. Called a few times a second. */
    show(tick) {
        if (this.slot < 0) {
            return;
        }
        const {view, decoder} = this.page;
        const {sinceTick, userLow, userHigh} = decoder.live.bodies[this.slot];
        const at = view.bodies.position(this.slot)?.add(view.origin);
        const rows = {
            "Id": `${this.slot}#${this.generation}`,
            "User data": String(BigInt.asIntN(64, BigInt(userHigh) << 32n | BigInt(userLow))),
            "Position": at ? at.toArray().map(value => value.toFixed(2)).join(", ") + " m" : "not there",
            "Speed": view.bodies.selectedSpeed.toFixed(2) + " m/s",
            "Age": decoder.live.generation[this.slot] !== this.generation ? "gone"
                : Math.max(0, tick - Math.abs(sinceTick)) + (sinceTick > 0 ? " ticks" : " ticks or more"),
        };
        byId("body").replaceChildren(...Object.entries(rows).flatMap(([name, value]) => [make("dt", name), make("dd", value)]));
    }
}
