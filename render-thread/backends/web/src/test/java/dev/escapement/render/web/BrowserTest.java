package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.time.ManualClock;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;

/**
 * The page in a real browser, Debian's packages chromium and chromium-driver. The world ticks on a manual clock, and the page's rounds run
 * on the thread of the test, so that nothing depends on how fast the browser draws.
 */
@Timeout(120)
@EnabledIf("isThereABrowser")
class BrowserTest {

    private static final File DRIVER = new File("/usr/bin/chromedriver");
    private static final File BROWSER = new File("/usr/bin/chromium");
    private static final int BODIES = 300;
    private static final int STALL_TICK = 45;
    private static final long STALL_NANOS = 30_000_000;
    private static final long TICK_NANOS = 10_000_000;
    private static final long LOOK_NANOS = 2_000_000;

    private final ManualClock clock = new ManualClock(0);
    private final Climbers climbers = new Climbers(clock);
    private final InlineDriver world = PhysicsService.builder(climbers).inline(clock);

    @TempDir
    static Path profile;

    @SuppressWarnings("NullAway.Init") // made before the first test
    private static ChromeDriver browser;

    private Sender sender = newSender();
    private PageServer server = new PageServer(InetAddress.getLoopbackAddress(), 0, sender);

    static boolean isThereABrowser() {
        boolean found = DRIVER.canExecute() && BROWSER.canExecute();
        if (!found) {
            System.out.println(
                    "Skipped: the live page in a browser, for which chromium and chromium-driver are missing");
        }
        return found;
    }

    @BeforeAll
    static void startBrowser() {
        ChromeOptions options = new ChromeOptions();
        options.setBinary(BROWSER);
        options.addArguments(
                "--headless",
                "--no-sandbox",
                "--enable-unsafe-swiftshader",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--window-size=640,480",
                "--user-data-dir=" + profile);
        browser = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(DRIVER)
                        .usingAnyFreePort()
                        .build(),
                options);
    }

    @AfterAll
    static void endBrowser() {
        browser.quit();
    }

    @BeforeEach
    void open() throws IOException {
        server.start();
        ticks(3); // a first window
        browser.manage().logs().get(LogType.BROWSER); // those of the test before
        browser.get(server.url());
        await(() -> number("page.view.bodies.count") == BODIES);
    }

    @AfterEach
    void close() {
        browser.get("about:blank");
        sender.close();
        server.stop();
        world.close();
    }

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

    @Test
    void shouldResumeAfterTheConnectionBrokeAndReportThatAnotherStartHasAnotherAddress() throws IOException {
        ticks(10);
        await(() -> shownTick() >= 10);
        String firstUrl = server.url();
        int port = URI.create(firstUrl).getPort();
        server.connector.close(); // no further connection
        sender.clients.forEach(client -> client.wire.cut());
        await(() -> !truth("page.connected"));
        assertThat(text("status")).contains("Reconnecting");
        sender.close();
        server.stop();

        sender = newSender();
        server = new PageServer(InetAddress.getLoopbackAddress(), port, sender);
        server.start();
        await(() -> text("banner").contains("no longer valid"));

        browser.get(server.url());
        await(() -> truth("page.connected") && number("page.view.bodies.count") == BODIES);
        sender.clients.forEach(client -> client.close(Client.ERROR, "a test"));
        await(() -> !truth("page.connected"));
        await(() -> truth("page.connected") && number("page.view.bodies.count") == BODIES);
        ticks(10);
        long last = world(0);
        await(() -> shownTick() + number("shown.alpha") >= last - 1e-3);
    }

    /** Once, also if the page knew of it before it was closed. It sends no further request, and shows the past that it has itself. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSayThatTheWorldHasEndedRetryNothingAndShowWhatItHasKept(boolean hearsItBefore) {
        awaitTicking(() -> shownTick() >= 150);
        browser.executeScript("window.asked = 0; const fetched = window.fetch;"
                + "window.fetch = (...all) => { window.asked++; return fetched(...all); };"
                + "const Before = window.WebSocket; window.WebSocket = class extends Before {"
                + " constructor(...all) { super(...all); window.asked++; } };");
        world.close();
        if (hearsItBefore) {
            await(() -> truth("page.state.ended"));
        }
        sender.close();
        awaitWithoutServer(() -> !truth("page.connected"));
        assertThat(text("banner"))
                .matches(
                        "The world has ended\\. The last \\d+ s are still here: drag along the time bar, or press Play\\.");
        assertThat(text("status")).isEqualTo("ended");
        server.stop();
        long kept = (long) number("page.past.kept.at(-9).tick");
        browser.executeScript("window.escapement.page.scrubTo(" + kept + ")");
        awaitWithoutServer(() -> isScrubbedTo(kept));
        click("forward");
        awaitWithoutServer(() -> shownTick() + number("shown.alpha") > kept + 0.9);
        click("live");
        click("play");
        awaitWithoutServer(() -> shownTick() < kept);
        assertThat(string("window.asked")).isEqualTo("0");
        assertThat(errors()).isEmpty();
    }

    @Test
    void shouldStopAskingAServerThatDoesNotAnswer() {
        browser.executeScript("window.setTimeout = act => { act(); };"); // no pauses between its tries
        server.stop();
        sender.clients.forEach(client -> client.wire.cut());
        awaitWithoutServer(() -> text("banner").contains("does not answer. Reload the page"));
    }

    @Test
    void shouldSayThatThePageWasClosedWhileTheWorldGoesOn() {
        ticks(10);
        await(() -> shownTick() >= 10);
        sender.close();
        awaitWithoutServer(() -> !truth("page.connected"));
        assertThat(text("banner")).isEqualTo("This page was closed by the program that served it.");
        assertThat(text("status")).isEqualTo("closed");
    }

    /** All bodies are in the picture, whatever the size of the screen; and there, all can be reached without scrolling sideways. */
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

    @Test
    void shouldExplainOnlyTheColoursThatOccur() {
        ticks(10);
        await(() -> "awake".equals(text("legend")) && text("span").matches("\\d+ s( · red: stutter)?"));
        browser.findElement(By.id("colours")).sendKeys("speed");
        await(() -> text("legend").contains("10 m/s or more"));
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

    @Test
    void shouldShowThatAServiceIsDead() {
        try (PhysicsService failing = PhysicsService.builder(new Climbers(clock) {
                            @Override
                            public void step(Tick tick) {
                                super.step(tick);
                                if (tick.number() == 10) {
                                    throw new IllegalStateException("bodies <b>overlap</b>");
                                }
                            }
                        })
                        .onFailure(cause -> {})
                        .start();
                PhysicsService next = PhysicsService.builder(new Climbers(clock))
                        .firstTick(11)
                        .build()) {
            try (LivePage page = LivePage.of(failing.newReader())
                    .controls(failing)
                    .counts(() -> Map.of("cut-ticks", 7000L))
                    .onStartOver(shows -> shows.show(next.newReader(), next.start()))
                    .start()) {
                browser.get(page.url());
                await(() -> truth("page.state.ended"));
                await(() -> text("banner").contains("bodies <b>overlap</b>"));
                assertThat(text("counts")).matches("(?s).*cut ticks\\s+7,000");
                click("startOver");
                await(() -> !truth("page.state.ended") && shownTick() > 15);
                assertThat(errors()).isEmpty();
            }
        }
    }

    private Sender newSender() {
        return new Sender(LivePage.of(world.newReader()).controls(world), clock, null);
    }

    /** Runs ticks, each seen by the page. */
    private void ticks(int count) {
        for (int i = 0; i < count; i++) {
            clock.advance(TICK_NANOS);
            world.runDueTicks();
            sender.round();
        }
    }

    /** Runs ticks if time does not stand still, and returns the last one there is. */
    private long world(int more) {
        ticks(more);
        return climbers.last;
    }

    private void rounds(int count) {
        for (int i = 0; i < count; i++) {
            sender.round();
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** Serves the page until it shows something; the test's time-out ends it otherwise. */
    private void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            rounds(5);
        }
    }

    private static void awaitWithoutServer(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private void awaitTicking(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            ticks(1);
            rounds(5);
        }
    }

    /** While time stands still the picture is one tick behind it, or at it if the clock of the browser runs ahead. */
    private boolean isShown(long tick) {
        double height = height(3);
        return height > Climbers.height(tick - 1) - 0.0011 && height < Climbers.height(tick) + 0.0011;
    }

    private boolean isScrubbedTo(long tick) {
        return "scrub".equals(get("page.mode"))
                && shownTick() == tick
                && Math.abs(height(7) - Climbers.height(tick)) < 0.0011;
    }

    private boolean areInPicture() {
        return Boolean.TRUE.equals(browser.executeScript("const {bodies, camera} = window.escapement.page.view;"
                + "return [...Array(" + BODIES + ").keys()].every(slot => bodies.position(slot)?.project(camera)"
                + ".toArray().every(value => Math.abs(value) <= 1))"));
    }

    private void click(String id) {
        browser.findElement(By.id(id)).click();
    }

    private String text(String id) {
        return browser.findElement(By.id(id)).getText();
    }

    private double shownTick() {
        return number("shown.tick");
    }

    private Object get(String property) {
        return browser.executeScript("return window.escapement?." + property);
    }

    private String string(String expression) {
        return String.valueOf(browser.executeScript("return " + expression));
    }

    private double number(String property) {
        return get(property) instanceof Number number ? number.doubleValue() : -1;
    }

    private boolean truth(String property) {
        return Boolean.TRUE.equals(get(property));
    }

    private double height(int slot) {
        return browser.executeScript("return window.escapement.page.view.bodies.position(" + slot + ")?.toArray()")
                        instanceof List<?> position
                ? ((Number) position.get(1)).doubleValue()
                : Double.NaN;
    }

    /** Those that the page has caught, and those in the browser's console since this was asked last. */
    private List<Object> errors() {
        List<Object> errors = new ArrayList<>((List<?>) get("errors"));
        for (LogEntry entry : browser.manage().logs().get(LogType.BROWSER)) {
            if (entry.getLevel().equals(Level.SEVERE)) {
                errors.add(entry);
            }
        }
        return errors;
    }

    /** Bodies in a row that rise evenly, from which follows which tick is shown. */
    private static class Climbers implements Simulation {

        private static final double METRES_PER_TICK = 0.01;

        private final ManualClock clock;
        private long last;

        /** One tick takes longer on that clock. */
        Climbers(ManualClock clock) {
            this.clock = clock;
        }

        static double height(long tick) {
            return tick * METRES_PER_TICK;
        }

        @Override
        public void step(Tick tick) {
            last = tick.number();
            if (last == STALL_TICK) {
                clock.advance(STALL_NANOS);
            }
        }

        @Override
        public void capture(PoseWriter poses) {
            poses.bodyCount(BODIES);
            for (int body = 0; body < BODIES; body++) {
                poses.set(body, 2 * body, (float) height(last), 0, 0, 0, 0, 1);
            }
        }
    }
}
