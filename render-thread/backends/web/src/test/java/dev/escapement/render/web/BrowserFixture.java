package dev.escapement.render.web;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.openqa.selenium.By;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;

/**
 * Opens the page in a real browser, from Debian's packages chromium and chromium-driver. The world ticks on a manual clock, and the page's
 * rounds run on the test's thread, so that nothing depends on how fast the browser draws.
 */
@Timeout(120)
abstract class BrowserFixture {

    static final int BODIES = 300;
    static final int STALL_TICK = 45;
    static final long STALL_NANOS = 30_000_000;
    static final long LOOK_NANOS = 2_000_000;

    private static final File DRIVER = new File("/usr/bin/chromedriver");
    private static final File BROWSER = new File("/usr/bin/chromium");

    /** One browser for all classes, until this JVM ends. Each test opens a page of its own. */
    @SuppressWarnings("NullAway.Init") // set before the first test
    static ChromeDriver browser;

    final TestWorld world = climbers();
    Sender sender = newSender();
    PageServer server = newServer(0, PageAccess.newSecret());

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
        if (browser != null) {
            return;
        }
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
                "--window-size=640,480");
        browser = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(DRIVER)
                        .usingAnyFreePort()
                        .build(),
                options);
        Runtime.getRuntime().addShutdownHook(new Thread(browser::quit));
    }

    @BeforeEach
    void open() throws IOException {
        server.start();
        ticks(3); // makes a first window
        browser.manage().logs().get(LogType.BROWSER); // drops the messages of the previous test
        browser.get(server.url());
        await(() -> number("page.view.bodies.count") == BODIES);
    }

    @AfterEach
    void close() {
        browser.get("about:blank");
        sender.close();
        server.stop();
        world.driver.close();
    }

    /** Creates a server for the present sender's page and does not start it; port 0 takes any free port. */
    PageServer newServer(int port, String token) {
        return new PageServer(
                InetAddress.getLoopbackAddress(),
                port,
                new PageAccess(Set.of(), "", token, Set.of()),
                sender,
                PageServer.MAX_REQUEST_NANOS);
    }

    Sender newSender() {
        LivePageBuilder settings = LivePage.of(world.driver.newReader());
        return new Sender(settings.controls(world.driver).rewinds(world.history), world.clock, worldList());
    }

    @Nullable
    WorldList worldList() {
        return null;
    }

    /** Opens the page again, in a document that runs a script before those of the page. */
    void openWith(String script) {
        Object id = browser.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script))
                .get("identifier");
        browser.get(server.url() + "?again");
        browser.executeCdpCommand("Page.removeScriptToEvaluateOnNewDocument", Map.of("identifier", id));
    }

    void ticks(int count) {
        for (int i = 0; i < count; i++) {
            world.tick();
            sender.round();
        }
    }

    void rounds(int count) {
        for (int i = 0; i < count; i++) {
            // The clock may stand still for long, but the page takes silence for a lost connection.
            sender.clients.forEach(client -> client.text("{}"));
            sender.round();
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** Runs rounds until the page meets a condition; the test's time-out ends it otherwise. */
    void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            rounds(5);
            if (Thread.interrupted()) { // the time-out interrupts this thread, which then never parks again
                throw new AssertionError("the page does not show what is awaited; its console: "
                        + browser.manage().logs().get(LogType.BROWSER).getAll());
            }
        }
    }

    void awaitTicking(BooleanSupplier condition) {
        await(() -> {
            ticks(1);
            return condition.getAsBoolean();
        });
    }

    /**
     * Whether the page shows a tick. While time stands still, the picture is one tick behind the newest, or shows the newest if the
     * browser's clock runs ahead.
     */
    boolean isShown(long tick) {
        double height = height(3);
        return height > heightIn(tick - 1) - 0.0011 && height < heightIn(tick) + 0.0011;
    }

    boolean isScrubbedTo(long tick) {
        return "scrub".equals(get("page.mode")) && shownTick() == tick && Math.abs(height(7) - heightIn(tick)) < 0.0011;
    }

    void click(String id) {
        browser.findElement(By.id(id)).click();
    }

    String text(String id) {
        return browser.findElement(By.id(id)).getText();
    }

    double shownTick() {
        return number("shown.tick");
    }

    Object get(String property) {
        return browser.executeScript("return window.escapement?." + property);
    }

    String string(String expression) {
        return String.valueOf(browser.executeScript("return " + expression));
    }

    double number(String property) {
        return get(property) instanceof Number number ? number.doubleValue() : -1;
    }

    boolean truth(String property) {
        return Boolean.TRUE.equals(get(property));
    }

    double height(int slot) {
        return number("page.view.bodies.position(" + slot + ")?.y");
    }

    /** Returns the errors that the page has caught, and those in the browser's console since the last call. */
    List<Object> errors() {
        List<Object> errors = new ArrayList<>((List<?>) get("errors"));
        for (LogEntry entry : browser.manage().logs().get(LogType.BROWSER)) {
            if (entry.getLevel().equals(Level.SEVERE)) {
                errors.add(entry);
            }
        }
        return errors;
    }

    /**
     * Creates a world of bodies in a row that rise evenly, so that their height gives the shown tick. The step of tick {@value #STALL_TICK}
     * takes longer.
     */
    static TestWorld climbers() {
        TestWorld world = new TestWorld("arena 7", 8192);
        world.step = () -> {
            if (world.ticks == STALL_TICK) {
                world.clock.advance(STALL_NANOS);
            }
        };
        world.capture = poses -> {
            poses.bodyCount(BODIES);
            for (int body = 0; body < BODIES; body++) {
                poses.set(body, 2 * body, (float) heightIn(world.ticks), 0, 0, 0, 0, 1);
            }
            poses.centreOfMass(8, 1, -2, 0.5f);
        };
        world.events = events -> events.contactBegan(0, 1, 1, (float) heightIn(world.ticks), 0, 0, 1, 0);
        return world;
    }

    /** Bodies rise by 1 cm in each tick. */
    static double heightIn(long tick) {
        return tick * 0.01;
    }
}
