package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs single scripts of the page in a browser, with data of the test. */
@EnabledIf("isThereABrowser")
class BrowserScriptsTest extends BrowserFixture {

    /**
     * The limit applies to the 99th percentile of the animation error, in milliseconds, after the first second, in the worst of 8 series.
     */
    @ParameterizedTest
    @CsvSource({"60, 16.7, 0, 0.01, 1", "144, 16.67, 1, 0, 1", "75, 100, 0, 0, 1", "144, 0.1, 0, 0.01, 0.2"})
    void shouldShowTheSlotsOfTheDisplay(double hertz, double stepMillis, double jitter, double missed, double limit) {
        Object largestError = browser.executeScript("""
                const [hertz, step, jitter, missed] = arguments;
                const period = 1000 / hertz;
                let seed = 17;
                const random = () => (seed = seed * 16807 % 2147483647) / 2147483647;
                const p99 = errors => errors.sort((a, b) => a - b)[Math.floor(0.99 * (errors.length - 1))];
                let largest = 0;
                for (let series = 0; series < 8; series++) {
                    const rhythm = new window.escapement.DisplayRhythm();
                    const errors = [];
                    let [slot, lastShown, lastSlot] = [random() * 3, 0, 0];
                    for (let frame = 0; frame < 20 * hertz; frame++) {
                        slot += random() < missed ? 2 : 1;
                        const now = slot * period + jitter * (2 * random() - 1);
                        const shown = rhythm.moment(Math.floor(now / step) * step * 1e6) / 1e6;
                        if (shown < lastShown) {
                            return Infinity;
                        }
                        if (frame > hertz) {
                            errors.push(Math.abs(shown - lastShown - (slot - lastSlot) * period));
                        }
                        [lastShown, lastSlot] = [shown, slot];
                    }
                    largest = Math.max(largest, p99(errors));
                }
                return largest;
                """, hertz, stepMillis, jitter, missed);
        assertThat((Number) largestError)
                .extracting(Number::doubleValue, InstanceOfAssertFactories.DOUBLE)
                .isLessThan(limit);
    }

    /** The display waits for each frame, at any rate from 48 to 144 Hz. */
    @ParameterizedTest
    @ValueSource(doubles = {16.7, 0.1})
    void shouldShowVariableRateFramesAsTheyCome(double stepMillis) {
        Object others = browser.executeScript("""
                const [step] = arguments;
                let seed = 17;
                const random = () => (seed = seed * 16807 % 2147483647) / 2147483647;
                let others = 0;
                for (let series = 0; series < 8; series++) {
                    const rhythm = new window.escapement.DisplayRhythm();
                    for (let now = random(); now < 20000; now += 1000 / (48 + 96 * random())) {
                        const nanos = Math.floor(now / step) * step * 1e6;
                        others += rhythm.moment(nanos) === nanos ? 0 : 1;
                    }
                }
                return others;
                """, stepMillis);
        assertThat(others).hasToString("0");
    }

    /**
     * Pictures are two ticks apart. Between them a seat 5 m from an axis turns by 1 rad, and a wheel on it makes 5.4 turns. The centre of
     * mass of another wheel rests 1.5 m from its position. The seat's centre of mass is ignored while the seat has a parent.
     */
    @Test
    void shouldBlendChildrenOnParentsAndWheelsByTurns() {
        Object farthest = browser.executeAsyncScript("""
                const done = arguments[0];
                import("three").then(({Matrix4, Quaternion, Vector3}) => {
                    const [up, axle] = [new Vector3(0, 1, 0), new Vector3(0.6, 0, 0.8)];
                    const turned = (axis, angle) => new Quaternion().setFromAxisAngle(axis, angle);
                    const place = (seat, tick) => new Vector3(seat, 0, 0).applyQuaternion(turned(up, 0.5 * tick)).add(new Vector3(9, 2, 3));
                    const wheel = tick => turned(axle, 2.7 * 2 * Math.PI * tick);
                    const offset = new Vector3(1.2, 0, -0.9);
                    const unbalanced = tick => new Vector3(-3, 1, 2).sub(offset.clone().applyQuaternion(wheel(tick)));
                    const picture = tick => ({
                        tick, simNanos: 1e7 * tick, origin: new Vector3(), generation: [1, 1, 1, 1],
                        units: [...[0, 5, 6].map(seat => place(seat, tick)), unbalanced(tick)]
                            .flatMap(at => at.toArray().map(metres => 1000 * metres)),
                        rotation: [turned(up, 0.5 * tick), turned(up, 0.5 * tick), wheel(tick), wheel(tick)]
                            .flatMap(one => one.toArray()),
                        riders: new Map([[1, 0], [2, 1]]), snapped: new Set(), quarantined: new Set(),
                        centres: new Map([[1, offset], [3, offset]]),
                        spins: new Map([2, 3].map(slot => [slot, axle.clone().multiplyScalar(2.7 * 2 * Math.PI)])),
                    });
                    const {bodies} = escapement.page.view;
                    const [a, b] = [picture(7), picture(9)];
                    let far = 0;
                    for (let alpha = 0; alpha <= 1; alpha += 1 / 64) {
                        bodies.draw({a, b, alpha}, new Vector3(), 100, null);
                        const [{mesh, slots}] = bodies.kinds;
                        const tick = 7 + 2 * alpha;
                        const drawn = new Quaternion().setFromRotationMatrix(
                            new Matrix4().fromArray(mesh.instanceMatrix.array, 16 * slots.indexOf(2)).scale(new Vector3(2, 2, 2)));
                        far = Math.max(far, drawn.angleTo(wheel(tick)), bodies.position(1).distanceTo(place(5, tick)),
                            bodies.position(2).distanceTo(place(6, tick)), bodies.position(3).distanceTo(unbalanced(tick)));
                    }
                    done(far);
                }, error => done(String(error)));
                """);
        assertThat(Double.parseDouble(String.valueOf(farthest))).isLessThan(0.001);
    }

    /**
     * A platform teleports. A body on it stays behind, and so does a second body on the first one; a seat is carried along. Another body
     * rests on a rotating body.
     */
    @Test
    void shouldLeaveBehindWhatAJumpDoesNotCarry() {
        Object drawn = browser.executeAsyncScript("""
                const done = arguments[0];
                import("three").then(({Vector3}) => {
                    const still = [0, 0, 0, 1];
                    const picture = (tick, x, rotation) => ({
                        tick, simNanos: 1e7 * tick, origin: new Vector3(), generation: [1, 1, 1, 1, 1, 1],
                        units: x.flatMap(metres => [Math.round(1000 * metres), 0, 0]),
                        rotation: [still, still, still, still, rotation, still].flat(),
                        riders: new Map([[1, 0], [2, 1], [3, 0], [5, 4]]), snapped: new Set([0]), quarantined: new Set(), spins: new Map(),
                        centres: new Map(),
                    });
                    const {bodies} = escapement.page.view;
                    const a = picture(7, [0.3, 0.3, 0.3, 1.3, 0, 5], still);
                    const b = picture(8, [100, 0.4, 0.4, 101, 0, 5], [0, 1, 0, 0]);
                    bodies.draw({a, b, alpha: 0.5}, new Vector3(), 100, null);
                    done([1, 2, 3, 5].map(slot => bodies.position(slot))
                            .map(({x, z}) => `${x.toFixed(2)} ${Math.abs(z).toFixed(2)}`).join());
                }, error => done(String(error)));
                """);
        assertThat(drawn).isEqualTo("0.35 0.00,0.35 0.00,1.30 0.00,5.00 0.00");
    }

    /** A capsule is followed by a ball, which becomes a box in tick 8. The form of the capsule is kept for a past of 10 ticks. */
    @Test
    void shouldDrawEachPictureWithTheShapesOfItsTick() {
        Object drawn = browser.executeAsyncScript("""
                const done = arguments[0];
                import("three").then(({Vector3}) => {
                    const {bodies} = escapement.page.view;
                    const draw = (generation, tick) => {
                        const a = {
                            tick, simNanos: 1e7 * tick, origin: new Vector3(), generation: [generation],
                            units: [0, 0, 0], rotation: [0, 0, 0, 1],
                            riders: new Map(), snapped: new Set(), quarantined: new Set(), spins: new Map(), centres: new Map(),
                        };
                        bodies.draw({a, b: a, alpha: 0}, new Vector3(), 100, null);
                        const {geometry, instanceMatrix} = bodies.kinds.find(({slots}) => slots.length === 1).mesh;
                        const scale = [0, 4, 8].map(axis => new Vector3().fromArray(instanceMatrix.array, axis).length());
                        return `${geometry.type} ${scale.join(" ")} of ${bodies.kinds.length}`;
                    };
                    bodies.clear();
                    const add = (tick, message) => bodies.addShapes({forms: [], bodies: [], dropped: [], ...message}, tick, 10);
                    add(0, {forms: [{id: 5, form: "capsule", radius: 1, halfHeight: 2}], bodies: [[0, 1, 0, 0, 5]]});
                    add(5, {bodies: [[0, 3, 0, 0, [3]]]});
                    const before = draw(1, 5);
                    add(8, {bodies: [[0, 3, 8, 0, [1, 2, 4]]], dropped: [5]});
                    const drawn = [before, draw(1, 6), draw(3, 7), draw(3, 8), draw(1, 5), draw(3, 9)];
                    add(18, {});
                    const kept = bodies.kinds.length;
                    add(19, {});
                    done([...drawn, kept, bodies.kinds.length, draw(1, 5)].join());
                }, error => done(String(error)));
                """);
        assertThat(drawn)
                .isEqualTo(
                        "CapsuleGeometry 1 1 1 of 3,CapsuleGeometry 1 1 1 of 3,SphereGeometry 3 3 3 of 3,"
                                + "BoxGeometry 1 2 4 of 3,CapsuleGeometry 1 1 1 of 3,BoxGeometry 1 2 4 of 3,3,2,BoxGeometry 1 3 1 of 2");
    }

    /** Each frame of the page takes 60 ms; in one frame, the picture moves by 5 ms too much. */
    @Test
    void shouldBlameASlowPageForItsStutter() {
        Object said = browser.executeAsyncScript("""
                const done = arguments[0];
                Promise.all([import("./metrics.js"), import("./explain.js")]).then(([{Metrics}, {explain}]) => {
                    const metrics = new Metrics(1e7, 60e9);
                    [...Array(60).keys()].forEach(i =>
                        metrics.addFrame({display: i * 60e6, holds: 0, error: i === 40 ? 5e6 : 0, lookBehind: 0, tick: i}));
                    done(explain(40, metrics));
                }, error => done(String(error)));
                """);
        assertThat(String.valueOf(said))
                .contains("It drew no frame for 60.0 ms, usually 60.0 ms: the browser is slow, not the world.")
                .doesNotContain("Nothing else");
    }
}
