package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.PhysicsService;
import dev.escapement.state.Await;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.openqa.selenium.By;

/** The page in a browser when its world or its server ends. */
@EnabledIf("isThereABrowser")
class BrowserEndTest extends BrowserFixture {

    /** After the end, the page shows the past that it has kept, and sends no request for it. */
    @Test
    void shouldReportTheEndAndShowKeptPictures() {
        awaitTicking(() -> shownTick() >= 150);
        browser.executeScript("window.asked = 0; const fetched = window.fetch;"
                + "window.fetch = (...all) => { window.asked++; return fetched(...all); };"
                + "const Before = window.WebSocket; window.WebSocket = class extends Before {"
                + " constructor(...all) { super(...all); window.asked++; } };");
        world.driver.close();
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
        click("live");
        click("play");
        awaitWithoutServer(() -> shownTick() < kept);
        assertThat(string("window.asked")).isEqualTo("0");
        assertThat(errors()).isEmpty();
    }

    @Test
    void shouldSayThatAnotherStartHasAnotherAddress() throws IOException {
        server.stop();
        sender.close();
        startServerAgain(PageAccess.newSecret());
        await(() -> text("banner").contains("no longer valid"));
    }

    @Test
    void shouldComeBackLongAfterTheServerWasKilled() throws IOException {
        browser.executeScript(
                "window.pause = setTimeout; window.setTimeout = act => { act(); };"); // retries without pauses
        server.stop();
        sender.clients.forEach(client -> client.wire.cut());
        awaitWithoutServer(() -> text("banner").contains("does not answer. The page tries again every 15 s."));
        browser.executeScript("window.setTimeout = window.pause;");
        startServerAgain(server.access.token());
        awaitBack();
    }

    @Test
    void shouldReconnectUnlessTheUserLooksBack() throws IOException {
        ticks(10);
        await(() -> shownTick() >= 10);
        sender.close();
        awaitWithoutServer(() -> !truth("page.connected"));
        assertThat(text("banner"))
                .isEqualTo("This page was closed by the program that served it. It comes back when the program does.");
        assertThat(text("status")).isEqualTo("closed");
        startServerAgain(server.access.token());
        browser.executeScript("window.escapement.page.scrubTo(5); window.dispatchEvent(new Event('online'))");
        rounds(20);
        assertThat(truth("page.connected")).as("while the user looks back").isFalse();
        click("live");
        awaitBack();
    }

    /** The page's seconds pass on the test's command. After a loss, the page waits longer until messages have come for ten seconds. */
    @Test
    void shouldOpenAnotherSocketAfterSilence() {
        openWith("const each = setInterval; window.setInterval = (act, millis) =>"
                + " act.name === 'check' ? window.check = act : each(act, millis);");
        awaitTicking(() -> shownTick() >= 10);
        browser.executeScript("escapement.page.scrubTo(9)");
        assertThat(silence(5)).isEqualTo("Connection lost (nothing came for 5 s). “Live” reconnects.");
        browser.executeScript("escapement.page.scrubTo(0)");
        long kept = (long) number("page.past.kept[0].tick");
        awaitWithoutServer(() -> isScrubbedTo(kept));
        click("live");
        await(() -> truth("page.connected") && number("page.past.kept.length") > 0);
        assertThat(silence(9)).doesNotContain("lost");
        assertThat(silence(1)).endsWith("(nothing came for 10 s). Reconnecting…");
        awaitBack();
        for (int second = 0; second < 10; second++) {
            assertThat(silence(1)).doesNotContain("lost");
            long next = (long) shownTick() + 1;
            awaitTicking(() -> shownTick() >= next);
        }
        assertThat(silence(4)).doesNotContain("lost");
        assertThat(silence(1)).endsWith("(nothing came for 5 s). Reconnecting…");
        awaitBack();
    }

    /** Lets seconds pass in which the page receives nothing. Returns its status. */
    private static String silence(int seconds) {
        return String.valueOf(browser.executeScript(
                "for (let second = 0; second < arguments[0]; second++) { check(); }"
                        + "return document.getElementById('status').textContent",
                seconds));
    }

    private void startServerAgain(String token) throws IOException {
        server.stop();
        sender = newSender();
        server = newServer(URI.create(browser.getCurrentUrl()).getPort(), token);
        server.start();
    }

    private static void awaitWithoutServer(BooleanSupplier condition) {
        Await.until(() -> {
            LockSupport.parkNanos(LOOK_NANOS);
            return condition.getAsBoolean();
        });
    }

    private void awaitBack() {
        await(() -> {
            browser.executeScript("window.dispatchEvent(new Event('online'))");
            return truth("page.connected")
                    && !browser.findElement(By.id("banner")).isDisplayed();
        });
        ticks(10);
        await(() -> shownTick() + number("shown.alpha") >= world.ticks - 1e-3);
    }

    @Test
    void shouldShowThatAServiceIsDead() {
        TestWorld dying = climbers();
        dying.step = () -> {
            if (dying.ticks == 10) {
                throw new IllegalStateException("bodies <b>overlap</b>");
            }
        };
        try (PhysicsService failing =
                        PhysicsService.builder(dying).onFailure(cause -> {}).start();
                LivePage page = LivePage.of(failing.newReader())
                        .controls(failing)
                        .counts(() -> Map.of("cut-ticks", 7000L))
                        .start()) {
            browser.get(page.url());
            await(() -> text("banner").contains("bodies <b>overlap</b>"));
            assertThat(browser.findElements(By.className("bad"))).isNotEmpty();
            assertThat(text("counts")).matches("(?s).*cut ticks\\s+7,000");
            assertThat(errors()).isEmpty();
        }
    }
}
