package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.PhysicsService;
import dev.escapement.state.capture.CapturedWorld;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.world.BodyJoint;
import dev.escapement.state.world.BodyShape;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.interactions.Actions;

/** The page in a browser while its world runs. */
@EnabledIf("isThereABrowser")
class BrowserTest extends BrowserFixture {

    private final TestWorld lobby = new TestWorld("lobby", 64);
    private int listings;

    @Override
    WorldList worldList() {
        return new WorldList(this::list, name -> sender.show(lobby.driver.newReader(), lobby.driver), world.clock);
    }

    private Map<String, Map<String, Number>> list() {
        listings++;
        Map<String, Map<String, Number>> list = new LinkedHashMap<>();
        for (int i = 0; i < 300; i++) {
            list.put("arena " + i, Map.of("slack (ms)", 0.25));
        }
        list.put("lobby", Map.of("slack (ms)", 7));
        return list;
    }

    @AfterEach
    void closeLobby() {
        lobby.driver.close();
    }

    @Test
    void shouldMoveBodiesAndStopThemInAPause() {
        ticks(20);
        await(() -> shownTick() >= 20);
        assertThat(height(3)).isBetween(heightIn(20) - 0.001, heightIn(world.ticks) + 0.001);

        browser.findElement(By.tagName("body")).sendKeys(" ");
        awaitTicking(() -> truth("page.state.paused"));
        int last = world.ticks;
        ticks(30);
        assertThat(world.ticks).as("time stands still").isEqualTo(last);
        await(() -> isShown(last));
        rounds(20);
        assertThat(isShown(last)).isTrue();

        browser.findElement(By.tagName("body")).sendKeys(".");
        awaitTicking(() -> isShown(last + 1));
        ticks(30);
        assertThat(world.ticks).isEqualTo(last + 1);
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
        assertThat(text("explanation")).contains("its period is 10.0 ms", "The step took 30.0 ms");
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
        awaitTicking(() -> world.inputs.contains("WHEEL 0 (0.0, -1.0) of sender 1"));
        assertThat(world.inputs)
                .filteredOn(input -> input.startsWith("WHEEL"))
                .containsExactly(
                        "WHEEL 0 (2.0, 0.5) of sender 1",
                        "WHEEL 0 (0.0, -2.0) of sender 1",
                        "WHEEL 0 (0.0, -1.0) of sender 1");
        new Actions(browser).release().perform();
        await(() -> !truth("page.steering.held?.drags"));
        assertThat(errors()).isEmpty();
    }

    /** Nobody sees a hidden page. The messages of ticks come after the pictures that were sent before them. */
    @Test
    void shouldGetPicturesOnlyWhileItIsSeen() {
        ticks(10);
        await(() -> number("page.clock.newest.tick") == world.ticks);
        int hidden = world.ticks;
        browser.executeScript("Object.defineProperty(document, 'hidden', {value: true, configurable: true})");
        for (int reported = hidden + 10; reported <= hidden + 50; reported += 20) {
            int tick = reported;
            ticks(20);
            await(() -> number("page.metrics.row(" + tick + ")?.tick") == tick);
        }
        assertThat(number("page.clock.newest.tick")).isLessThan(hidden + 4);
        browser.executeScript("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))");
        await(() -> number("page.clock.newest.tick") == world.ticks);
        assertThat(errors()).isEmpty();
    }

    private boolean areInPicture() {
        return "true"
                .equals(string("(({bodies, camera}) => [...Array(" + BODIES
                        + ").keys()].every(slot => bodies.position(slot)"
                        + "?.project(camera).toArray().every(value => Math.abs(value) <= 1)))(escapement.page.view)"));
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

    @Test
    void shouldDrawAsFinelyAsTheScreenOfTheMoment() {
        browser.executeScript("escapement.page.view.isSoftware = false");
        ticks(10);
        await(() -> shownTick() >= 9);
        try {
            for (int ratio : new int[] {1, 2, 1}) {
                browser.executeCdpCommand(
                        "Emulation.setDeviceMetricsOverride",
                        Map.of("width", 0, "height", 0, "deviceScaleFactor", ratio, "mobile", false));
                await(() -> ("[" + ratio + "," + ratio + "]")
                        .equals(string("JSON.stringify(['scene', 'bar'].map(id => document.getElementById(id))"
                                + ".map(({width, clientWidth}) => width / clientWidth))")));
            }
        } finally {
            browser.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
        }
    }

    /** A player (slot 0) jumps 12 m above coins in a row of 32 m, on a floor of 60 m. */
    @Test
    void shouldFitWhatMovesAndNotTheFloor() {
        lobby.shapes = body -> new BodyShape(
                BodyId.slot(body) == 1 ? new BodyShape.Box(30, 0.5f, 0.1f) : new BodyShape.Box(0.3f, 0.5f, 0.1f),
                BodyId.slot(body) > 0);
        lobby.capture = poses -> {
            poses.bodyCount(7);
            for (int body = 2; body < 7; body++) {
                poses.set(body, 8 * (body - 4), 0.5f, 0, 0, 0, 0, 1);
            }
            poses.set(0, 0, Math.max(0.5f, 0.1f * (lobby.ticks - 50)), 0, 0, 0, 0, 1);
            poses.set(1, 0, -0.5f, 0, 0, 0, 0, 1);
        };
        sender.show(lobby.driver.newReader(), lobby.driver);
        await(() -> {
            if (lobby.ticks < 50 || (lobby.ticks < 170 && text("title").contains("lobby"))) {
                lobby.tick();
            }
            return height(0) > 11.8;
        });
        await(() -> isInPicture("position(0)"));
        assertThat(isInPicture("position(0).set(29, 0, 0)")).as("all the floor").isFalse();
    }

    private boolean isInPicture(String place) {
        return truth("page.view.bodies." + place
                + ".project(escapement.page.view.camera).toArray().every(value => Math.abs(value) <= 1)");
    }

    /** Caps Lock, Cyrillic letters, a German numpad, and Dvorak, whose L and V are where others have P and the full stop. */
    @Test
    void shouldActOnceOnAKeyOfAnyLayout() {
        ticks(60);
        await(() -> shownTick() >= 50);
        browser.executeScript("document.getElementById('speed').value = 0.1; escapement.page.scrubTo(20)");
        await(() -> isScrubbedTo(20));
        press("P", "KeyP", 3);
        assertThat(number("page.past.speed")).as("plays").isEqualTo(10);
        press("з", "KeyP", 1);
        assertThat(number("page.past.speed")).as("stopped").isZero();
        press("l", "KeyP", 1);
        assertThat(get("page.mode")).isEqualTo("live");
        press(" ", "Space", 4);
        awaitTicking(() -> truth("page.state.paused"));
        int last = world.ticks;
        press("v", "Period", 1);
        press(",", "NumpadDecimal", 2);
        awaitTicking(() -> world.ticks == last + 2);
        ticks(30);
        assertThat(world.ticks).isEqualTo(last + 2);
    }

    /** Presses a key that then repeats. */
    private void press(String key, String code, int times) {
        String event = "{key: '" + key + "', code: '" + code + "', repeat: i > 0, bubbles: true}";
        browser.executeScript("for (let i = 0; i < " + times
                + "; i++) { document.body.dispatchEvent(new KeyboardEvent('keydown', " + event + ")); }");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3_000})
    void shouldShowWorldsOfAnySize(int bodies) {
        try (PhysicsService service =
                        PhysicsService.builder(TestWorld.of(bodies)).start();
                LivePage page = LivePage.of(service.newReader()).start()) {
            browser.get(page.url());
            await(() -> shownTick() > 0 && number("page.view.bodies.count") == bodies);
            assertThat(errors()).isEmpty();
        }
    }

    /** Of 14,000 bodies of as many sizes, 200 live at a time: boxes in even slots, capsules in odd ones. */
    @Test
    void shouldDrawAnyNumberOfFormsOneAfterAnother() {
        Deque<Long> living = new ArrayDeque<>();
        lobby.shapes = id -> new BodyShape(
                BodyId.slot(id) % 2 == 0 ? new BodyShape.Box(size(id), 1, 2) : new BodyShape.Capsule(size(id), 1),
                false);
        lobby.capture = poses -> {
            for (int i = 0; i < 50 && lobby.ticks <= 280; i++) {
                living.add(CapturedWorld.spawn(poses, 0));
                if (living.size() > 200) {
                    poses.despawn(living.remove());
                }
            }
        };
        sender.show(lobby.driver.newReader(), lobby.driver);
        for (int tick = 0; tick < 300; tick++) {
            lobby.tick();
            sender.round();
        }
        String sizes = living.stream()
                .map(id -> String.format(Locale.ROOT, "%03d %.4f", BodyId.slot(id), size(id)))
                .sorted()
                .collect(Collectors.joining());
        await(() -> sizes.equals(
                string("escapement.page.view.bodies.kinds.flatMap(({mesh, slots}) => slots.map((slot, index) =>"
                        + "`${String(slot).padStart(3, '0')} ${(mesh.geometry.parameters.radius ?? mesh.instanceMatrix.array[16 * index])"
                        + ".toFixed(4)}`)).sort().join('')")));
        assertThat(number("page.view.bodies.kinds.length"))
                .isLessThanOrEqualTo(2 + 100 + Shapes.MAX_UNUSED + 300 + 100);
        assertThat(errors()).isEmpty();
    }

    private static float size(long id) {
        return 0.2f + 0.0001f * (BodyId.slot(id) + 200 * BodyId.generation(id));
    }

    /** The command line, which shows this page, too, has no option for the size of windows. */
    @Test
    void shouldSayWhereTheAdviceHelps() {
        sender.clients.get(0).text("""
                {"type": "state", "running": true, "paused": false, "scale": 1, "failure": null, "ended": false,
                 "advice": "windows of 6 would hide it: windowSize(6)", "historyFrom": 1, "historyTo": 3, "counts": {}}""");
        await(() -> !text("advice").isEmpty());
        assertThat(text("advice")).isEqualTo("windows of 6 would hide it: windowSize(6), in a program of your own.");
    }

    @Test
    void shouldReadCentresOfMass() {
        awaitTicking(() -> "[[8,{\"x\":1,\"y\":-2,\"z\":0.5}]]"
                .equals(string("JSON.stringify([...window.escapement.page.clock.b.centres])")));
    }

    /** Body 3 hangs from the world, and body 5 from body 3, until another body has the slot of body 5. */
    @Test
    void shouldDrawJointsBetweenBodiesThatExist() {
        long hung = BodyId.of(3, 1);
        world.joints = List.of(
                new BodyJoint(new BodyJoint.End(hung, 0, 1, 0), new BodyJoint.End(BodyJoint.End.WORLD, 6, 50, 0)),
                new BodyJoint(new BodyJoint.End(hung, 0, -1, 0), new BodyJoint.End(BodyId.of(5, 1), 0, 0.5, 0)),
                new BodyJoint(new BodyJoint.End(hung, 0, 9, 0), new BodyJoint.End(BodyId.of(7, 3), 0, 0, 0)));
        // Lines connect body 3, its first anchor and the anchor in the world; then body 3, its second anchor, the
        // anchor of body 5, and body 5.
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

    /** Returns x and height of each point of the joint lines that the page draws. Heights up to 49 m are relative to body 3. */
    private String joints() {
        return string("(() => { const {view} = escapement.page; const lines = view.scene.children.find(({material}) =>"
                + " material === view.jointMaterial); const {array} = lines.geometry.attributes.position;"
                + " const point = i => [...array.slice(3 * i, 3 * i + 3)].map((metres, axis) => metres + view.origin.getComponent(axis));"
                + " const height = view.bodies.position(3).y + view.origin.y;"
                + " return !lines.visible ? '' : [...Array(lines.geometry.drawRange.count).keys()].map(point)"
                + ".map(([x, y]) => x.toFixed(1) + ' ' + (y > 49 ? y : y - height).toFixed(1)).join(); })()");
    }

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
        openWith("HTMLCanvasElement.prototype.getContext = () => null");
        await(() -> text("banner").contains("it has no WebGL 2"));
        assertThat(browser.findElement(By.id("strip")).isDisplayed()).isFalse();
    }

    @Test
    void shouldSayThatTheGraphicsCardIsLostAndDrawAgain() {
        ticks(10);
        await(() -> shownTick() >= 9);
        browser.executeScript("escapement.page.view.renderer.forceContextLoss()");
        await(() -> text("notice").contains("has lost the graphics card"));
        browser.executeScript(
                "const {renderer} = escapement.page.view; renderer.info.reset(); renderer.forceContextRestore()");
        await(() -> number("page.view.renderer.info.render.calls") > 0);
    }

    /** The bodies rise by 10 mm in each tick of 10 ms, so their speed is 1 m/s. */
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
        assertThat(shown).isBetween(0.3, heightIn(world.ticks));
        assertThat(errors()).isEmpty();
    }

    private void plot(String what) {
        browser.findElement(By.xpath("//*[@id='ticks']//option[. = '" + what + "']"))
                .click();
    }

    private String values() {
        return browser.findElement(By.cssSelector("#ticks tbody")).getText();
    }

    private String rows() {
        return string("[...document.querySelectorAll('#worldRows tr')].slice(0, 3)"
                + ".map(row => [...row.cells].map(cell => cell.textContent).join(' ')).join()");
    }

    private String marked() {
        return string(
                "[...document.querySelectorAll('#worldRows [aria-current=true]')].map(row => row.textContent).join()");
    }

    @Test
    void shouldListWorldsWhileOpenAndOpenOneByKeys() {
        ticks(300);
        assertThat(listings).as("the list is closed").isZero();
        assertThat(text("title")).isEqualTo("Escapement – arena 7");
        browser.findElement(By.cssSelector("#worlds summary")).sendKeys(Keys.ENTER);
        await(() -> "arena 0 0.25,arena 1 0.25,arena 2 0.25".equals(rows()));
        assertThat(text("worldCount")).isEqualTo("301 of 301 worlds, of which the first 100 are listed.");
        assertThat(text("worldColumns")).isEqualTo("World slack (ms)");
        assertThat(marked()).isEqualTo("arena 7");

        browser.findElement(By.id("worldFilter")).sendKeys("LOB");
        await(() -> "lobby 7".equals(rows()));
        assertThat(text("worldCount")).isEqualTo("1 of 301 worlds.");
        browser.findElement(By.id("worldFilter")).sendKeys(Keys.TAB, Keys.ENTER);
        await(() -> text("worldCount").contains("“lobby” is shown once it ticks"));
        lobby.capture = poses -> {
            poses.bodyCount(1);
            poses.set(0, 0, 0, 0, 0, 0, 0, 1);
        };
        lobby.ticks(3);
        await(() -> number("page.view.bodies.count") == 1);
        await(() -> "lobby".equals(marked()));
        assertThat(text("title")).isEqualTo("Escapement – lobby");

        browser.findElement(By.cssSelector("#worlds summary")).sendKeys(Keys.ENTER);
        await(() -> !browser.findElement(By.id("worldRows")).isDisplayed());
        rounds(5);
        int asked = listings;
        ticks(300);
        assertThat(listings).as("the list is closed again").isEqualTo(asked);
        assertThat(errors()).isEmpty();
    }
}
