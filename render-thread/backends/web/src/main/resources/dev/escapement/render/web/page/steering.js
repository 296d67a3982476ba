/* What changes the world: pause, step, scale, restart, and dragging a body. Pages that only look have none of it. */
import * as THREE from "three";
import {byId, setText} from "./dom.js";

const CLICK_PIXELS = 4;

export class Steering {

    /** `page` has canDrag(), send(message), select(slot) and generation(slot). */
    constructor(view, page) {
        this.view = view;
        this.page = page;
        this.state = {};
        this.plane = new THREE.Plane();
        this.held = null; // the body under the pressed pointer
        byId("pause").onclick = () => this.pause();
        byId("step").onclick = () => this.step();
        byId("restart").onclick = () => page.send({type: "restart"});
        byId("scale").oninput = () => this.showScale(byId("scale").valueAsNumber);
        byId("scale").onchange = () => this.scale(byId("scale").valueAsNumber);
        const canvas = view.canvas;
        canvas.addEventListener("pointerdown", event => this.press(event), {capture: true}); // before the camera takes it
        canvas.addEventListener("pointermove", event => this.move(event));
        canvas.addEventListener("pointerup", event => this.release(event));
        canvas.addEventListener("pointercancel", () => this.letGo());
    }

    hello(hello) {
        document.querySelectorAll(".steer").forEach(node => node.hidden = !hello.controls);
        this.canRestart = hello.restart;
        byId("restart").hidden = true;
    }

    show(state) {
        this.state = state;
        setText(byId("pause"), state.paused ? "Resume" : "Pause");
        for (const id of ["pause", "step", "scale"]) {
            byId(id).disabled = state.ended;
        }
        byId("restart").hidden = !(this.canRestart && state.failure);
        if (document.activeElement !== byId("scale")) {
            byId("scale").value = state.paused ? 0 : state.scale;
            this.showScale(state.paused ? 0 : state.scale);
        }
    }

    showScale(value) {
        setText(byId("scaleValue"), value === 0 ? "paused" : value.toFixed(2) + "×");
    }

    pause() {
        this.page.send({type: this.state.paused ? "resume" : "pause"});
    }

    step() {
        this.page.send({type: "step"});
    }

    scale(value) {
        if (value === 0) {
            this.page.send({type: "pause"});
            return;
        }
        this.page.send({type: "scale", value});
        if (this.state.paused) {
            this.page.send({type: "resume"});
        }
    }

    press(event) {
        if (event.button !== 0) {
            return;
        }
        const hit = this.view.bodies.pick(this.view.ray(event));
        this.held = {x: event.clientX, y: event.clientY, hit, dragged: false};
        if (hit && this.page.canDrag()) {
            this.view.controls.enabled = false;
            this.view.canvas.setPointerCapture(event.pointerId);
            this.plane.setFromNormalAndCoplanarPoint(this.view.camera.getWorldDirection(new THREE.Vector3()), hit.point);
            const centre = this.view.bodies.position(hit.slot);
            this.grab = hit.point.clone().sub(centre);
        }
    }

    move(event) {
        const held = this.held;
        if (!held || Math.hypot(event.clientX - held.x, event.clientY - held.y) < CLICK_PIXELS && !held.dragged) {
            return;
        }
        held.moved = true;
        if (this.view.controls.enabled) {
            return;
        }
        if (!held.dragged) {
            held.dragged = true;
            this.page.send({type: "drag", slot: held.hit.slot, generation: this.page.generation(held.hit.slot)});
            this.page.select(held.hit.slot);
        }
        this.target = this.view.ray(event).ray.intersectPlane(this.plane, new THREE.Vector3()) ?? this.target;
        this.targetChanged = true;
    }

    /** Tells the server where the body is dragged to: called once a frame. */
    frame() {
        const dragging = this.held?.dragged && this.target;
        if (dragging && this.targetChanged) {
            this.targetChanged = false;
            const wanted = this.target.clone().sub(this.grab);
            this.page.send({type: "dragTo", x: wanted.x, y: wanted.y, z: wanted.z});
        }
        const from = dragging ? this.view.bodies.position(this.held.hit.slot) : null;
        this.view.drawGrip(from?.add(this.grab), this.target);
    }

    release() {
        if (this.held && !this.held.moved) {
            this.page.select(this.held.hit ? this.held.hit.slot : -1);
        }
        this.letGo();
    }

    letGo() {
        if (this.held?.dragged) {
            this.page.send({type: "dragEnd"});
        }
        this.held = null;
        this.target = null;
        this.view.controls.enabled = true;
    }
}
