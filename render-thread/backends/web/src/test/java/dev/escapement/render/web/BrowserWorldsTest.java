package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/** The list of worlds in a browser. */
@EnabledIf("isThereABrowser")
class BrowserWorldsTest extends BrowserFixture {

    private static final int ARENAS = 300;

    private int calls;

    /** The arena that uses most. */
    private int first;

    private boolean failsToOpen;

    /** A world of one body. */
    private final InlineDriver lobby = PhysicsService.builder(new Climbers(clock) {
                @Override
                public void capture(PoseWriter poses) {
                    poses.bodyCount(1);
                    poses.set(0, 0, 0, 0, 0, 0, 0, 1);
                }

                @Override
                public void events(EventWriter events) {}
            })
            .name("lobby")
            .inline(clock);

    @Override
    PhysicsServiceBuilder builder(Climbers simulation) {
        return super.builder(simulation).name("arena 7");
    }

    @Override
    @Nullable
    WorldList worldList() {
        return new WorldList(this::list, this::open, clock);
    }

    private Map<String, Map<String, Number>> list() {
        calls++;
        Map<String, Map<String, Number>> list = new LinkedHashMap<>();
        for (int i = 0; i < ARENAS; i++) {
            list.put("arena " + (first + i) % ARENAS, Map.of("slack (ms)", first + 0.25));
        }
        list.put("lobby", Map.of("slack (ms)", 7));
        return list;
    }

    private void open(String name) {
        if (failsToOpen) {
            throw new IllegalStateException("all readers of " + name + " are in use");
        }
        sender.show(lobby.newReader(), lobby, null);
    }

    @AfterEach
    void closeLobby() {
        lobby.close();
    }

    private String rows() {
        return browser.findElement(By.id("worldRows")).getText();
    }

    private String marked() {
        return string(
                "[...document.querySelectorAll('#worldRows [aria-current=true]')].map(row => row.textContent).join()");
    }

    private void openList() {
        browser.findElement(By.cssSelector("#worlds summary")).sendKeys(Keys.ENTER);
        awaitTicking(() -> rows().startsWith("arena 0 0.25\narena 1 0.25\n"));
    }

    @Test
    void shouldListWorldsWhileOpenAndOpenOneByKeys() {
        ticks(300);
        assertThat(calls).as("the list is closed").isZero();
        assertThat(text("title")).isEqualTo("Escapement – arena 7");
        openList();
        assertThat(text("worldCount")).isEqualTo("301 of 301 worlds, of which the first 100 are listed.");
        assertThat(text("worldColumns")).isEqualTo("World slack (ms)");
        assertThat(marked()).isEqualTo("arena 7");

        browser.findElement(By.id("worldFilter")).sendKeys("LOB");
        awaitTicking(() -> "lobby 7".equals(rows()));
        assertThat(text("worldCount")).isEqualTo("1 of 301 worlds.");
        browser.findElement(By.id("worldFilter")).sendKeys(Keys.TAB, Keys.ENTER);
        awaitTicking(() -> text("worldCount").contains("“lobby” is shown after its next tick"));
        clock.advance(TICK_NANOS);
        lobby.runDueTicks();
        await(() -> number("page.view.bodies.count") == 1);
        awaitTicking(() -> "lobby".equals(marked()));
        assertThat(text("title")).isEqualTo("Escapement – lobby");

        browser.findElement(By.cssSelector("#worlds summary")).sendKeys(Keys.ENTER);
        await(() -> !browser.findElement(By.id("worldRows")).isDisplayed());
        rounds(5);
        int asked = calls;
        ticks(300);
        assertThat(calls).as("the list is closed again").isEqualTo(asked);
        assertThat(errors()).isEmpty();
    }

    @Test
    void shouldKeepTheRowsInPlaceWhileOneHasTheFocus() {
        openList();
        String focus = "document.querySelector('#worldRows button').";
        browser.executeScript(focus + "focus()");
        first = 2;
        awaitTicking(() -> rows().startsWith("arena 0 –\narena 1 –\narena 2 2.25\n"));
        assertThat(string("document.activeElement.textContent")).isEqualTo("arena 0");
        browser.executeScript(focus + "blur()");
        awaitTicking(() -> rows().startsWith("arena 2 2.25\narena 3 2.25\n"));
        assertThat(errors()).isEmpty();
    }

    @Test
    void shouldSayWhyAWorldIsNotOpened() {
        failsToOpen = true;
        openList();
        browser.findElement(By.cssSelector("#worldRows button")).click();
        await(() -> text("notice")
                .equals("Refused: open. world 'arena 0' cannot be shown: all readers of arena 0 are in use"));
        long last = world(5);
        await(() -> shownTick() >= last - 1);
        assertThat(marked()).isEqualTo("arena 7");
        assertThat(errors()).isEmpty();
    }
}
