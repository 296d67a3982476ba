/* Controls of the world: pause, step, scale, and dragging a body. A page without controls shows none of them. */
import * as THREE from "three";
import {byId, setText} from "./dom.js";

const CLICK_PIXELS = 4;
const WHEEL_STEP = [100, 3, 1]; // pixels, lines or pages of one step, by the event's deltaMode

export class Steering {
    plane = new THREE.Plane(); // the plane in which a body is dragged
    held = null; // since the pointer was pressed: {x, y, hit, moved, drags, target}

    /** Creates the controls. `page` has view, hello, state, mode, decoder, send(message) and select(slot). */
    constructor(page) {
        this.page = page;
        byId("scale").oninput = () => this.showScale(byId("scale").valueAsNumber);
        byId("scale").onchange = () => this.scale(byId("scale").valueAsNumber);
        const {canvas} = page.view;
        // Further fingers only move the camera.
        const listen = (type, act, options) => canvas.addEventListener(type, event => event.isPrimary && act(event), options);
        listen("pointerdown", event => this.press(event), {capture: true}); // runs before the camera's listener
        listen("pointermove", event => this.move(event));
        listen("pointerup", () => this.release(true));
        listen("pointercancel", () => this.release(false));
        canvas.addEventListener("wheel", event => this.turn(event), {passive: false}); // lets turn() keep the page from scrolling
    }

    get isAllowed() {
        return this.page.hello?.controls && !this.page.state.ended;
    }

    /** Whether the world can continue from a tick of its past. */
    get mayRewind() {
        return this.isAllowed && this.page.hello.rewinds && this.page.connected;
    }

    showGoOn() {
        byId("goOn").hidden = !this.page.hello.rewinds;
        byId("goOn").disabled = !this.mayRewind || this.page.mode === "live";
    }

    show({paused, ended, scale}) {
        document.querySelector(".steer").hidden = !this.page.hello.controls;
        this.showGoOn();
        setText("pause", paused ? "Resume" : "Pause");
        ["pause", "step", "scale"].forEach(id => byId(id).disabled = ended);
        if (document.activeElement !== byId("scale")) {
            byId("scale").value = paused ? 0 : scale;
            this.showScale(paused ? 0 : scale);
        }
    }

    showScale(value) {
        setText("scaleValue", value === 0 ? "paused" : value.toFixed(2) + "×");
    }

    pause() {
        this.page.send({type: this.page.state.paused ? "resume" : "pause"});
    }

    scale(value) {
        const {send, state} = this.page;
        send(value === 0 ? {type: "pause"} : {type: "scale", value});
        if (value > 0 && state.paused) {
            send({type: "resume"});
        }
    }

    press(event) {
        if (event.button !== 0) {
            return;
        }
        const {view, mode} = this.page;
        const hit = view.bodies.pick(view.ray(event));
        this.held = {x: event.clientX, y: event.clientY, hit};
        if (hit && this.isAllowed && mode === "live") {
            view.controls.enabled = false;
            view.canvas.setPointerCapture(event.pointerId);
            this.plane.setFromNormalAndCoplanarPoint(view.camera.getWorldDirection(new THREE.Vector3()), hit.point);
            this.grab = hit.point.clone().sub(view.bodies.position(hit.slot));
        }
    }

    move(event) {
        const {held} = this;
        const {view, decoder, send, select} = this.page;
        if (held && Math.hypot(event.clientX - held.x, event.clientY - held.y) >= CLICK_PIXELS) {
            held.moved = true;
        }
        if (!held?.moved || view.controls.enabled) {
            return;
        }
        const {slot} = held.hit;
        if (!held.drags) {
            held.drags = true;
            send({type: "drag", slot, generation: decoder.live.generation[slot]});
            select(slot);
        }
        held.target = view.ray(event).ray.intersectPlane(this.plane, new THREE.Vector3()) ?? held.target;
        held.isNew = true;
    }

    /** Sends the wheel to the simulation while a body is dragged; otherwise the camera gets it. */
    turn(event) {
        if (this.held?.drags) {
            event.preventDefault();
            const step = WHEEL_STEP[event.deltaMode];
            this.page.send({type: "wheel", x: event.deltaX / step, y: -event.deltaY / step}); // deltaY is positive toward the user
        }
    }

    /** Sends the server the drag's target, and draws the drag. Called once a frame. */
    frame() {
        const {view, send} = this.page;
        const {hit, target, isNew} = this.held ?? {};
        if (target && isNew) {
            this.held.isNew = false;
            const {x, y, z} = target.clone().sub(this.grab).add(view.origin);
            send({type: "dragTo", x, y, z});
        }
        const from = target && view.bodies.position(hit.slot)?.add(this.grab);
        view.grip(from ? [from, target].map(at => at.clone().add(view.origin)) : []);
    }

    release(isClick) {
        const {hit, moved, drags} = this.held ?? {moved: true};
        if (isClick && !moved) {
            this.page.select(hit?.slot ?? -1);
        }
        if (drags) {
            this.page.send({type: "dragEnd"});
        }
        this.letGo();
    }

    /** Ends the press, at a release and when another world with other bodies is shown. */
    letGo() {
        this.held = null;
        this.page.view.controls.enabled = true;
    }
}
