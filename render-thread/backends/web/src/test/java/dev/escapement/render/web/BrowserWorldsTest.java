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
import org.openqa.selenium.interactions.Actions;

/** The list of worlds in a browser. */
@EnabledIf("isThereABrowser")
class BrowserWorldsTest extends BrowserFixture {

    private static final int ARENAS = 300;
    private static final int SECOND_TICKS = 100;

    private int calls;

    /** The arena that uses most. */
    private int first;

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
        sender.show(lobby.newReader(), lobby);
    }

    @AfterEach
    void closeLobby() {
        lobby.close();
        new Actions(browser).moveToLocation(1, 1).perform(); // the next test begins with no row under the pointer
    }

    /** The first three. */
    private String rows() {
        return string("[...document.querySelectorAll('#worldRows tr')].slice(0, 3)"
                + ".map(row => [...row.cells].map(cell => cell.textContent).join(' ')).join()");
    }

    private String marked() {
        return string(
                "[...document.querySelectorAll('#worldRows [aria-current=true]')].map(row => row.textContent).join()");
    }

    private void openList() {
        browser.findElement(By.cssSelector("#worlds summary")).sendKeys(Keys.ENTER);
        await(() -> "arena 0 0.25,arena 1 0.25,arena 2 0.25".equals(rows()));
    }

    @Test
    void shouldListWorldsWhileOpenAndOpenOneByKeys() {
        ticks(3 * SECOND_TICKS);
        assertThat(calls).as("the list is closed").isZero();
        assertThat(text("title")).isEqualTo("Escapement – arena 7");
        openList();
        assertThat(text("worldCount")).isEqualTo("301 of 301 worlds, of which the first 100 are listed.");
        assertThat(text("worldColumns")).isEqualTo("World slack (ms)");
        assertThat(marked()).isEqualTo("arena 7");

        browser.findElement(By.id("worldFilter")).sendKeys("LOB");
        await(() -> "lobby 7".equals(rows()));
        assertThat(text("worldCount")).isEqualTo("1 of 301 worlds.");
        browser.findElement(By.id("worldFilter")).sendKeys(Keys.TAB, Keys.ENTER);
        await(() -> text("worldCount").contains("“lobby” is shown once it ticks"));
        clock.advance(TICK_NANOS);
        lobby.runDueTicks();
        await(() -> number("page.view.bodies.count") == 1);
        await(() -> "lobby".equals(marked()));
        assertThat(text("title")).isEqualTo("Escapement – lobby");

        browser.findElement(By.cssSelector("#worlds summary")).sendKeys(Keys.ENTER);
        await(() -> !browser.findElement(By.id("worldRows")).isDisplayed());
        rounds(5);
        int asked = calls;
        ticks(3 * SECOND_TICKS);
        assertThat(calls).as("the list is closed again").isEqualTo(asked);
        assertThat(errors()).isEmpty();
    }

    @Test
    void shouldKeepTheRowsInPlaceWhileOneHasTheFocus() {
        openList();
        String focus = "document.querySelector('#worldRows button').";
        browser.executeScript(focus + "focus()");
        first = 2;
        ticks(SECOND_TICKS);
        await(() -> "arena 0 –,arena 1 –,arena 2 2.25".equals(rows()));
        assertThat(string("document.activeElement.textContent")).isEqualTo("arena 0");
        browser.executeScript(focus + "blur()");
        await(() -> "arena 2 2.25,arena 3 2.25,arena 4 2.25".equals(rows()));
        assertThat(errors()).isEmpty();
    }
}
