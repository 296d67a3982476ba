package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.PhysicsService;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.world.BodyJoint;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.interactions.Actions;

/** The page in a browser while its world runs. */
@EnabledIf("isThereABrowser")
class BrowserTest extends BrowserFixture {

    @Test
    void shouldMoveBodiesAndStopThemInAPause() {
        ticks(20);
        await(() -> shownTick() >= 20);
        assertThat(height(3)).isBetween(heightIn(20) - 0.001, heightIn(lastAfter(0)) + 0.001);

        click("pause");
        awaitTicking(() -> truth("page.state.paused"));
        long last = lastAfter(0);
        assertThat(lastAfter(30)).as("time stands still").isEqualTo(last);
        await(() -> isShown(last));
        rounds(20);
        assertThat(isShown(last)).isTrue();

        click("step");
        awaitTicking(() -> isShown(last + 1));
        assertThat(lastAfter(30)).isEqualTo(last + 1);
        assertThat(errors()).isEmpty();
    }

    @Test
    void shouldShowTheTickThatIsScrubbedTo() {
        ticks(120); // long enough for the page to get the bounds of the history
        await(() -> shownTick() >= 100);
        browser.executeScript("window.escapement.page.scrubTo(17)");
        await(() -> isScrubbedTo(17));
        ticks(20);
        click("forward");
        await(() -> isScrubbedTo(18));
        click("back");
        click("back");
        await(() -> isScrubbedTo(16));
        assertThat(text("shownTick")).contains("16");
        click("live");
        awaitTicking(() -> "live".equals(get("page.mode")) && shownTick() > 130);
        assertThat(text("status")).isEqualTo("running");
        world.clock.advance(100 * TestWorld.TICK_NANOS + STALL_NANOS); // time passes without a tick
        await(() -> "stands still".equals(text("status")));
        assertThat(errors()).isEmpty();
    }

    /** The step of one tick takes 30 ms, which the page must name. */
    @Test
    void shouldNameTheCauseOfAStutterThatIsClicked() {
        ticks(STALL_TICK + 20);
        await(() -> number("page.metrics.row(" + STALL_TICK + ")?.tick") == STALL_TICK);
        await(() -> {
            click("stutterBack");
            return text("explanation").contains("Tick " + STALL_TICK);
        });
        assertThat(text("explanation")).containsIgnoringCase("the step took 30.0 ms");
        assertThat(errors()).isEmpty();
    }

    @Test
    void shouldSendWheelTurnsDuringADrag() {
        ticks(10);
        await(() -> shownTick() >= 9 && areInPicture());
        browser.executeScript("const {bodies, camera, controls} = escapement.page.view;"
                + "controls.target.copy(bodies.position(3)); camera.position.copy(controls.target).setZ(5);");
        Actions drag = new Actions(browser).moveToElement(browser.findElement(By.id("scene")));
        drag.clickAndHold().moveByOffset(20, 0).perform();
        await(() -> truth("page.steering.held?.drags"));
        for (String turn : List.of(
                "deltaX: 200, deltaY: -50",
                "deltaY: 6, deltaMode: WheelEvent.DOM_DELTA_LINE",
                "deltaY: 1, deltaMode: 2")) {
            assertThat(string("escapement.page.view.canvas.dispatchEvent(new WheelEvent('wheel', {cancelable: true, "
                            + turn + "}))"))
                    .as("the page does not scroll")
                    .isEqualTo("false");
        }
        awaitTicking(() -> turns().size() > 2);
        assertThat(turns())
                .containsExactly(
                        "WHEEL 0 (2.0, 0.5) of sender 1",
                        "WHEEL 0 (0.0, -2.0) of sender 1",
                        "WHEEL 0 (0.0, -1.0) of sender 1");
        new Actions(browser).release().perform();
        await(() -> !truth("page.steering.held?.drags"));
        assertThat(errors()).isEmpty();
    }

    private List<String> turns() {
        return world.inputs.stream().filter(input -> input.startsWith("WHEEL")).toList();
    }

    /** At each size of the screen all bodies are in the picture, and the page needs no scrolling sideways. */
    @ParameterizedTest
    @CsvSource({"1280, 800", "390, 844"})
    void shouldFitEveryScreen(int width, int height) {
        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 900));
        try {
            ticks(10);
            await(() -> shownTick() >= 10 && areInPicture());
            assertThat(string("document.documentElement.scrollWidth")).isEqualTo(String.valueOf(width));
            browser.executeScript("window.escapement.page.view.camera.position.multiplyScalar(0.1)");
            await(() -> !areInPicture());
            click("fit");
            await(this::areInPicture);
            int least = browser.findElement(By.id("step")).getSize().height;
            assertThat(least).as("large enough for a thumb").isGreaterThanOrEqualTo(width < 900 ? 44 : 20);
            assertThat(errors()).isEmpty();
        } finally {
            browser.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10_000})
    void shouldShowWorldsOfAnySize(int bodies) {
        try (PhysicsService service =
                        PhysicsService.builder(TestWorld.of(bodies)).start();
                LivePage page = LivePage.of(service.newReader()).start()) {
            browser.get(page.url());
            await(() -> shownTick() > 0 && number("page.view.bodies.count") == bodies);
            assertThat(errors()).isEmpty();
        }
    }

    /**
     * The pictures are two ticks apart. Between them a seat 5 m from an axis turns by 1 rad, and a wheel on it makes 5.4 turns. A second
     * wheel's centre of mass rests 1.5 m from its position; the seat's is ignored while it has a parent.
     */
    @Test
    void shouldBlendChildrenOnParentsAndWheelsByTurns() {
        Object farthest = browser.executeAsyncScript("""
                const done = arguments[0];
                import("three").then(({Matrix4, Quaternion, Vector3}) => {
                    const up = new Vector3(0, 1, 0);
                    const axle = new Vector3(0.6, 0, 0.8);
                    const turned = (axis, angle) => new Quaternion().setFromAxisAngle(axis, angle);
                    const place = (seat, tick) => new Vector3(seat, 0, 0).applyQuaternion(turned(up, 0.5 * tick)).add(new Vector3(9, 2, 3));
                    const wheel = tick => turned(axle, 2.7 * 2 * Math.PI * tick);
                    const offset = new Vector3(1.2, 0, -0.9);
                    const unbalanced = tick => new Vector3(-3, 1, 2).sub(offset.clone().applyQuaternion(wheel(tick)));
                    const picture = tick => ({
                        tick, simNanos: 1e7 * tick, origin: new Vector3(), generation: [1, 1, 1, 1, 1],
                        units: [...[0, 5, 6, 6].map(seat => place(seat, tick)), unbalanced(tick)]
                            .flatMap(at => at.toArray().map(metres => 1000 * metres)),
                        rotation: [turned(up, 0.5 * tick), turned(up, 0.5 * tick), wheel(tick), wheel(tick), wheel(tick)]
                            .flatMap(one => one.toArray()),
                        riders: new Map([[1, 0], [2, 1]]), snapped: new Set(), quarantined: new Set(),
                        centres: new Map([[1, offset], [4, offset]]),
                        spins: new Map([2, 4].map(slot => [slot, axle.clone().multiplyScalar(2.7 * 2 * Math.PI)])),
                    });
                    const {bodies} = escapement.page.view;
                    const [a, b] = [picture(7), picture(9)];
                    const far = [0, 0, 0, 0, 0];
                    for (let alpha = 0; alpha <= 1; alpha += 1 / 64) {
                        bodies.draw({a, b, alpha}, new Vector3(), 100, null);
                        const [{mesh, slots}] = bodies.kinds;
                        const tick = 7 + 2 * alpha;
                        const drawn = new Quaternion().setFromRotationMatrix(
                            new Matrix4().fromArray(mesh.instanceMatrix.array, 16 * slots.indexOf(2)).scale(new Vector3(2, 2, 2)));
                        [1, 2, 3].forEach((slot, i) =>
                            far[i] = Math.max(far[i], bodies.position(slot).distanceTo(place([5, 6, 6][i], tick))));
                        far[3] = Math.max(far[3], drawn.angleTo(wheel(tick)));
                        far[4] = Math.max(far[4], bodies.position(4).distanceTo(unbalanced(tick)));
                    }
                    done(far);
                }, error => done(String(error)));
                """);
        assertThat(farthest)
                .asInstanceOf(InstanceOfAssertFactories.list(Number.class))
                .extracting(Number::doubleValue)
                .satisfiesExactly(
                        seat -> assertThat(seat).isLessThan(0.001),
                        onAnother -> assertThat(onAnother).isLessThan(0.001),
                        ridesOnNone -> assertThat(ridesOnNone).isGreaterThan(0.5),
                        wheel -> assertThat(wheel).isLessThan(1e-3),
                        unbalanced -> assertThat(unbalanced).isLessThan(5e-4));
    }

    @Test
    void shouldReadCentresOfMass() {
        awaitTicking(() -> "8 1 -2 0.5"
                .equals(string(
                        "[...window.escapement.page.clock.b.centres].map(([slot, {x, y, z}]) => `${slot} ${x} ${y} ${z}`)"
                                + ".join()")));
        assertThat(errors()).isEmpty();
    }

    /**
     * A platform teleports. A body on it stays behind, and so does a body on that one; a seat is carried along. Another body rests on a
     * turning one.
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

    /** Body 3 hangs from the world, and body 5 from body 3, until another body has the slot of body 5. */
    @Test
    void shouldDrawJointsBetweenBodiesThatExist() {
        long hung = BodyId.of(3, 1);
        world.joints = List.of(
                new BodyJoint(new BodyJoint.End(hung, 0, 1, 0), new BodyJoint.End(BodyJoint.End.WORLD, 6, 50, 0)),
                new BodyJoint(new BodyJoint.End(hung, 0, -1, 0), new BodyJoint.End(BodyId.of(5, 1), 0, 0.5, 0)),
                new BodyJoint(new BodyJoint.End(hung, 0, 9, 0), new BodyJoint.End(BodyId.of(7, 3), 0, 0, 0)));
        // The lines run from body 3 by its anchor to the world, and from body 3 by its anchor and the other anchor to
        // body 5.
        awaitTicking(() ->
                "6.0 0.0,6.0 1.0,6.0 1.0,6.0 50.0,6.0 50.0,6.0 50.0,6.0 0.0,6.0 -1.0,6.0 -1.0,10.0 0.5,10.0 0.0,10.0 0.5"
                        .equals(joints()));
        click("joints");
        awaitTicking(() -> joints().isEmpty());
        click("joints");
        awaitTicking(() -> !joints().isEmpty());
        world.joints = List.of();
        ticks(120);
        awaitTicking(() -> joints().isEmpty());
        assertThat(errors()).isEmpty();
    }

    /** Returns the joint lines that the page draws: x and the height over body 3, or in the world; empty if there are none. */
    private String joints() {
        return string("(() => { const {view} = escapement.page; const lines = view.scene.children.find(({material}) =>"
                + " material === view.jointMaterial); const {array} = lines.geometry.attributes.position;"
                + " const point = i => [...array.slice(3 * i, 3 * i + 3)].map((metres, axis) => metres + view.origin.getComponent(axis));"
                + " const height = view.bodies.position(3).y + view.origin.y;"
                + " return !lines.visible ? '' : [...Array(lines.geometry.drawRange.count).keys()].map(point)"
                + ".map(([x, y]) => x.toFixed(1) + ' ' + (y > 49 ? y : y - height).toFixed(1)).join(); })()");
    }

    /** The world begins a contact in every tick. */
    @Test
    void shouldDrawContactsWhenTheyAreSwitchedOn() {
        String drawn = "page.view.scene.children.some(({isLineSegments, material, visible}) =>"
                + " isLineSegments && visible && material.color?.getHex() === 0xd64545)";
        awaitTicking(() -> number("page.view.contacts.length") > 10);
        assertThat(truth(drawn)).as("at first").isFalse();
        click("contacts");
        awaitTicking(() -> truth(drawn));
        click("contacts");
        awaitTicking(() -> !truth(drawn));
        assertThat(errors()).isEmpty();
    }

    @Test
    void shouldSayThatTheBrowserCannotDraw() {
        Object script = browser.executeCdpCommand(
                        "Page.addScriptToEvaluateOnNewDocument",
                        Map.of("source", "HTMLCanvasElement.prototype.getContext = () => null"))
                .get("identifier");
        try {
            browser.get(server.url() + "?without");
            await(() -> text("banner").contains("it has no WebGL 2"));
            assertThat(browser.findElement(By.id("strip")).isDisplayed()).isFalse();
        } finally {
            browser.executeCdpCommand("Page.removeScriptToEvaluateOnNewDocument", Map.of("identifier", script));
        }
    }

    /** Each frame of the page takes 60 ms; in one frame, the picture moves by 5 ms too much. */
    @Test
    void shouldBlameASlowPageForItsStutter() {
        Object said = browser.executeAsyncScript("""
                const done = arguments[0];
                Promise.all([import("./metrics.js"), import("./explain.js")]).then(([{Metrics}, {explain}]) => {
                    const frames = millis => {
                        const metrics = new Metrics(1e7, 60e9);
                        [...Array(60).keys()].forEach(i =>
                            metrics.addFrame({display: i * millis * 1e6, holds: 0, error: i === 40 ? 5e6 : 0, lookBehind: 0, tick: i}));
                        return explain(40, metrics);
                    };
                    done([frames(60), frames(10)].join("\\n"));
                }, error => done(String(error)));
                """);
        String[] sentences = String.valueOf(said).split("\n", -1);
        assertThat(sentences[0])
                .contains("It drew no frame for 60.0 ms, usually 60.0 ms: the browser is slow, not the world.")
                .doesNotContain("Nothing else");
        assertThat(sentences[1]).doesNotContain("browser").contains("Nothing else here explains it");
    }

    /** The bodies rise by 10 mm in each tick of 10 ms. */
    @Test
    void shouldPlotThePositionAndSpeedOfABody() {
        awaitTicking(() -> shownTick() > 30);
        plot("Speed of body (m/s)");
        await(() -> values().isEmpty());
        browser.executeScript("escapement.page.select(7)");
        assertThat(number("page.selection.points.length"))
                .as("its path until then")
                .isGreaterThan(1);
        awaitTicking(() -> values().matches("speed(\\s+1(\\.00)?){3}"));
        plot("Position of body (m)");
        awaitTicking(() -> values().matches("x( 14(\\.00)?){3}\\ny [0-9. ]+\\nz( 0(\\.00)?){3}"));
        double shown = Double.parseDouble(values().split("\n", -1)[1].replaceFirst(".*\\s", ""));
        assertThat(shown).isBetween(0.3, heightIn(lastAfter(0)));
        assertThat(errors()).isEmpty();
    }

    private void plot(String what) {
        browser.findElement(By.xpath("//*[@id='ticks']//option[. = '" + what + "']"))
                .click();
    }

    private String values() {
        return browser.findElement(By.cssSelector("#ticks tbody")).getText();
    }
}
