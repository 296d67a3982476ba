package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.InlineDriver;
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
    void shouldShowBodiesThatMoveAndStandStillInAPause() {
        ticks(20);
        await(() -> shownTick() >= 20);
        assertThat(height(3)).isBetween(Climbers.height(20) - 0.001, Climbers.height(world(0)) + 0.001);

        click("pause");
        awaitTicking(() -> truth("page.state.paused"));
        long last = world(0);
        assertThat(world(30)).as("time stands still").isEqualTo(last);
        await(() -> isShown(last));
        rounds(20);
        assertThat(isShown(last)).isTrue();

        click("step");
        awaitTicking(() -> isShown(last + 1));
        assertThat(world(30)).isEqualTo(last + 1);
        assertThat(errors()).isEmpty();
    }

    @Test
    void shouldShowTheTickThatIsScrubbedTo() {
        ticks(120); // long enough for the page to get the bounds of the history
        await(() -> shownTick() >= 100);
        browser.executeScript("window.escapement.page.scrubTo(17)");
        await(() -> isScrubbedTo(17));
        ticks(20); // the world goes on
        browser.findElement(By.id("forward")).click();
        await(() -> isScrubbedTo(18));
        browser.findElement(By.id("back")).click();
        browser.findElement(By.id("back")).click();
        await(() -> isScrubbedTo(16));
        assertThat(browser.findElement(By.id("shownTick")).getText()).contains("16");
        click("live");
        awaitTicking(() -> "live".equals(get("page.mode")) && shownTick() > 130);
        assertThat(text("status")).isEqualTo("running");
        new Actions(browser)
                .clickAndHold(browser.findElement(By.id("bar")))
                .moveByOffset(-30, 0)
                .release()
                .perform();
        assertThat(get("page.mode")).as("looks only").isEqualTo("scrub");
        assertThat(browser.findElement(By.id("goOn")).isDisplayed()).isFalse();
        long last = world(0);
        assertThat(world(5)).as("keeps no past to go back to").isEqualTo(last + 5);
        assertThat(text("notice")).isEmpty();
        clock.advance(100 * TICK_NANOS + STALL_NANOS); // without a tick
        await(() -> "stands still".equals(text("status")));
        assertThat(errors()).isEmpty();
    }

    /** The step of one tick takes 30 ms. */
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

    /** Otherwise it zooms, and is no input. */
    @Test
    void shouldSendTurnsOfTheWheelWhileABodyIsDragged() {
        ticks(10);
        await(() -> shownTick() >= 9 && areInPicture());
        browser.executeScript("const {bodies, camera, controls} = escapement.page.view;"
                + "controls.target.copy(bodies.position(3)); camera.position.copy(controls.target).setZ(5);"
                + "window.distance = () => camera.position.distanceTo(controls.target);");
        String turn = "escapement.page.view.canvas.dispatchEvent(new WheelEvent('wheel', {cancelable: true, %s}))";
        double before = distance();
        string(turn.formatted("deltaY: 100"));
        await(() -> distance() > before + 0.1);
        Actions drag = new Actions(browser).moveToElement(browser.findElement(By.id("scene")));
        drag.clickAndHold().moveByOffset(20, 0).perform();
        await(() -> truth("page.steering.held?.drags"));
        double dragged = distance();
        for (String event : List.of(
                "deltaX: 200, deltaY: -50",
                "deltaY: 6, deltaMode: WheelEvent.DOM_DELTA_LINE",
                "deltaY: 1, deltaMode: 2")) {
            assertThat(string(turn.formatted(event)))
                    .as("the page does not scroll")
                    .isEqualTo("false");
        }
        awaitTicking(() -> climbers.turns.size() > 2);
        assertThat(climbers.turns).containsExactly("2.0 0.5", "0.0 -2.0", "0.0 -1.0");
        assertThat(distance()).isEqualTo(dragged);
        new Actions(browser).release().perform();
        await(() -> !truth("page.steering.held?.drags"));
        string(turn.formatted("deltaY: 100"));
        await(() -> distance() > dragged + 0.1);
        ticks(5);
        assertThat(climbers.turns).hasSize(3);
        assertThat(text("notice")).as("nothing is refused").isEmpty();
        assertThat(errors()).isEmpty();
    }

    private double distance() {
        return Double.parseDouble(string("distance()"));
    }

    /** Bodies far from the others, and a large floor, change nothing; what is left is seen from where it is widest. */
    @Test
    void shouldFitTheCameraToWhatMostBodiesFill() {
        ticks(10);
        await(() -> shownTick() >= 10 && areInPicture());
        assertThat(string(
                        "(({position: {x, y, z}}, {target}) => Math.hypot(x - target.x, y - target.y) < 0.6 * (z - target.z))"
                                + "(escapement.page.view.camera, escapement.page.view.controls)"))
                .as("from the front")
                .isEqualTo("true");
        browser.executeScript(
                "const {page} = escapement; const {bodies} = page.view; const picture = page.clock.newest;"
                        + "window.surround = places => { const units = picture.units.slice();"
                        + " places.forEach(([slot, x, y, z]) => units.set([x, y, z].map(metres => 1000 * metres), 3 * slot));"
                        + " return JSON.stringify(page.view.surround({...picture, units})); };"
                        + "window.form = (slot, half) => bodies.shapes[slot] = {generation: 1, form: bodies.form({form: 'box', half})};");
        String all = string("surround([])");
        browser.executeScript("form(9, [1000, 0.1, 1000])");
        assertThat(string("surround([[7, 300, 0, 400], [8, -300, 0, 0], [10, 0, -9000, 0]])"))
                .isEqualTo(all);
        assertThat(string("surround([[7, 700, 0, 0]])")).as("a little farther").isNotEqualTo(all);
        browser.executeScript("form(0, [10, 0.5, 1])");
        assertThat(string("(([{min, max}]) => ['x', 'y', 'z'].map(axis => Math.round(max[axis] - min[axis])).join())"
                        + "(escapement.page.view.bodies.boxes({generation: [1], units: [0, 0, 0],"
                        + " rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2]}))"))
                .as("a beam that stands upright")
                .isEqualTo("1,20,2");
    }

    @Test
    void shouldNotTakeAClickForAMovedCamera() {
        ticks(10);
        await(() -> shownTick() >= 10 && areInPicture());
        Actions toSky = new Actions(browser).moveToElement(browser.findElement(By.id("scene")), 0, -70);
        toSky.click().perform();
        String isFittedAgain = "(view => { view.refit(); return !view.isFitted; })(escapement.page.view)";
        assertThat(string(isFittedAgain)).isEqualTo("true");
        await(() -> truth("page.view.isFitted"));
        toSky.clickAndHold().moveByOffset(60, 0).release().perform();
        assertThat(string(isFittedAgain)).isEqualTo("false");
    }

    /** All bodies are in the picture, at each size of the screen; and there, all can be reached without scrolling sideways. */
    @ParameterizedTest
    @CsvSource({"1280, 800", "390, 844", "844, 390"})
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
    @ValueSource(ints = {0, 1, 10_000})
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
     * A seat 5 m from an axis that turns by 1 rad, and a wheel on it with 5.4 turns, from one picture to the next, two ticks later. The
     * centre of mass of a second wheel rests 1.5 m from its position; that of the seat is ignored while it rides.
     */
    @Test
    void shouldBlendRidersOnTheirParentsAndWheelsByTheirTurns() {
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
    void shouldReadWhereTheCentreOfMassOfABodyIs() {
        awaitTicking(() -> "8 1 -2 0.5"
                .equals(string(
                        "[...window.escapement.page.clock.b.centres].map(([slot, {x, y, z}]) => `${slot} ${x} ${y} ${z}`)"
                                + ".join()")));
        assertThat(errors()).isEmpty();
    }

    /** A platform teleports; one body on it, and one on that, stay behind; a seat is carried. Another body rests on what turns. */
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

    @Test
    void shouldExplainOnlyTheColoursThatOccur() {
        ticks(10);
        await(() -> "awake: a colour each".equals(text("legend"))
                && text("span").matches("The last \\d+ s\\.( Red: stutter, click for its cause\\.)?"));
        browser.findElement(By.id("colours")).sendKeys("speed");
        await(() -> text("legend").contains("10 m/s or more"));
        assertThat(errors()).isEmpty();
    }

    /** Ways of 5, 15 and 10 in equal times, as in the test of Java's Unevenness; then a pause, a speed, and one that is even. */
    @Test
    void shouldMeasureUnevennessAsJavaDoes() {
        Object measured = browser.executeAsyncScript("""
                const done = arguments[0];
                import("./clock.js").then(({Unevenness}) => {
                    const unevenness = new Unevenness();
                    const texts = [];
                    let shown = 0;
                    const frames = (ways, nanos) => ways.forEach(way => unevenness.frame(shown += way, nanos));
                    const tell = () => texts.push(Object.values(unevenness.percent).map(part => part.toFixed(3)).join(" "));
                    tell();
                    frames([0, 5, 15, 10], 10);
                    tell();
                    unevenness.restart();
                    frames([0, 0, 0, 20, 20], 10);
                    frames([40], 20);
                    tell();
                    done(texts.join("; "));
                }, error => done(String(error)));
                """);
        assertThat(measured).isEqualTo("0.000 0.000; 33.333 50.000; 0.000 0.000");
    }

    /** Body 3 hangs from the world, and body 5 from it, until body 5 is another one. */
    @Test
    void shouldDrawJointsBetweenBodiesThatExist() {
        long hung = BodyId.of(3, 1);
        climbers.joints = List.of(
                new BodyJoint(new BodyJoint.End(hung, 0, 1, 0), new BodyJoint.End(BodyJoint.End.WORLD, 6, 50, 0)),
                new BodyJoint(new BodyJoint.End(hung, 0, -1, 0), new BodyJoint.End(BodyId.of(5, 1), 0, 0.5, 0)),
                new BodyJoint(new BodyJoint.End(hung, 0, 9, 0), new BodyJoint.End(BodyId.of(7, 3), 0, 0, 0)));
        // From body 3 by its anchor to the world; from body 3 by its anchor and the other one to body 5.
        awaitTicking(() ->
                "6.0 0.0,6.0 1.0,6.0 1.0,6.0 50.0,6.0 50.0,6.0 50.0,6.0 0.0,6.0 -1.0,6.0 -1.0,10.0 0.5,10.0 0.0,10.0 0.5"
                        .equals(joints()));
        click("joints");
        awaitTicking(() -> joints().isEmpty());
        click("joints");
        awaitTicking(() -> !joints().isEmpty());
        climbers.joints = List.of();
        ticks(120);
        awaitTicking(() -> joints().isEmpty());
        assertThat(errors()).isEmpty();
    }

    @Test
    void shouldDrawNoJointsOfAnotherTickOrWorld() {
        BodyJoint hanger = new BodyJoint(
                new BodyJoint.End(BodyId.of(3, 1), 0, 1, 0), new BodyJoint.End(BodyJoint.End.WORLD, 6, 50, 0));
        climbers.joints = List.of(hanger);
        awaitTicking(() -> !joints().isEmpty());
        climbers.joints = List.of();
        awaitTicking(() -> number("page.view.joints.length") == 2 && joints().isEmpty());
        browser.executeScript("window.escapement.page.scrubTo(window.escapement.page.view.joints[1].tick - 10)");
        await(() -> !joints().isEmpty());
        click("live");
        await(() -> joints().isEmpty());
        climbers.joints = List.of(hanger);
        awaitTicking(() -> !joints().isEmpty());
        try (InlineDriver next = builder(new Climbers(clock)).inline(clock)) {
            sender.show(next.newReader(), next);
            long last = climbers.last;
            await(() -> {
                clock.advance(TICK_NANOS);
                next.runDueTicks();
                return number("page.clock.newest.tick") > last + 100 && number("page.view.bodies.count") == BODIES;
            });
            await(() -> joints().isEmpty());
            sender.close(); // of its reader
        }
        assertThat(errors()).isEmpty();
    }

    /** The lines of joints as the page draws them: x and the height over body 3, or in the world; empty if there are none. */
    private String joints() {
        return string("(() => { const {view} = escapement.page; const lines = view.scene.children.find(({material}) =>"
                + " material === view.jointMaterial); const {array} = lines.geometry.attributes.position;"
                + " const point = i => [...array.slice(3 * i, 3 * i + 3)].map((metres, axis) => metres + view.origin.getComponent(axis));"
                + " const height = view.bodies.position(3).y + view.origin.y;"
                + " return !lines.visible ? '' : [...Array(lines.geometry.drawRange.count).keys()].map(point)"
                + ".map(([x, y]) => x.toFixed(1) + ' ' + (y > 49 ? y : y - height).toFixed(1)).join(); })()");
    }

    /** A contact begins in every tick. */
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
}
