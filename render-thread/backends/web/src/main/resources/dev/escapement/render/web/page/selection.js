/* The selected body: what is known of it, and its path. */
import {byId, make} from "./dom.js";
import {has} from "./protocol.js";

const PATH_SECONDS = 5;

export class Selection {

    constructor(view, send) {
        this.view = view;
        this.send = send;
        this.slot = -1;
        byId("deselect").addEventListener("click", () => this.select(-1, null));
    }

    /** Selects the body of a slot; -1 for none. `bodies` is what is known of all bodies. */
    select(slot, bodies) {
        const isThere = slot >= 0 && bodies.generation[slot] > 0;
        this.view.bodies.selected = this.slot = isThere ? slot : -1;
        this.bodies = bodies;
        this.ticks = []; // [x, y, z, tick] in the world, of each picture
        this.line = []; // the same of each frame
        byId("body").hidden = byId("bodyOptions").hidden = !isThere;
        byId("nobody").hidden = isThere;
        byId("follow").checked &&= isThere;
        if (isThere) {
            this.generation = bodies.generation[slot];
            this.send({type: "path", slot, generation: this.generation});
        }
    }

    /** Takes what the history has of the path. */
    path(message, origin) {
        if (message.slot === this.slot && message.generation === this.generation) {
            const points = message.points.map(([tick, ...at]) => [...at.map((value, axis) => value + origin[axis]), tick]);
            const before = kept => points.filter(point => point[3] < (kept[0]?.[3] ?? Infinity)).concat(kept);
            this.ticks = before(this.ticks);
            this.line = before(this.line);
        }
    }

    add(picture) {
        if (this.slot >= 0 && has(picture, this.slot) && picture.generation[this.slot] === this.generation) {
            this.ticks.push([...picture.origin.map((value, axis) => value + picture.position[3 * this.slot + axis]), picture.tick]);
        }
    }

    /** Draws the path and follows the body: called each frame. */
    frame(tick, isLive, ticksPerSecond) {
        const at = this.view.bodies.position(this.slot);
        if (!at) {
            this.view.drawPath([], []);
            return;
        }
        if (isLive) {
            this.line.push([...this.world(at), tick]);
        }
        const oldest = this.ticks.at(-1)?.[3] - PATH_SECONDS * ticksPerSecond;
        for (const points of [this.ticks, this.line]) {
            while (points.length > 0 && points[0][3] < oldest) {
                points.shift();
            }
        }
        this.view.drawPath(this.ticks, this.line);
        if (byId("follow").checked) {
            this.view.camera.position.add(at).sub(this.view.controls.target);
            this.view.controls.target.copy(at);
        }
    }

    world(at) {
        return at.toArray().map((value, axis) => value + this.view.origin[axis]);
    }

    /** Says what is known of the body: called a few times a second. */
    show(tick, ticksPerSecond) {
        const {slot, bodies} = this;
        if (slot < 0) {
            return;
        }
        const at = this.view.bodies.position(slot);
        const [before, last] = this.ticks.slice(-2);
        const metres = last ? Math.hypot(last[0] - before[0], last[1] - before[1], last[2] - before[2]) : 0;
        const since = bodies.sinceTick[slot];
        const rows = {
            "Id": `${slot}:${this.generation}`,
            "User data": String(BigInt.asIntN(64, (BigInt(bodies.userHigh[slot]) << 32n) | BigInt(bodies.userLow[slot]))),
            "Position": at ? this.world(at).map(value => value.toFixed(2)).join(", ") + " m" : "not there",
            "Speed": (last ? metres / (last[3] - before[3]) * ticksPerSecond : 0).toFixed(2) + " m/s",
            "Age": bodies.generation[slot] !== this.generation ? "gone"
                : Math.max(0, tick - Math.abs(since)) + (since > 0 ? " ticks" : " ticks or more"),
        };
        byId("body").replaceChildren(...Object.entries(rows).flatMap(([name, value]) => [make("dt", name), make("dd", value)]));
    }
}
