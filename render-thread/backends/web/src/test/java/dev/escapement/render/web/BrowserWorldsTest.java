package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

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
    private static final int SECOND_TICKS = 100;

    private int calls;

    private final TestWorld lobby = new TestWorld("lobby");

    @Override
    @Nullable
    WorldList worldList() {
        return new WorldList(this::list, this::open, world.clock);
    }

    private Map<String, Map<String, Number>> list() {
        calls++;
        Map<String, Map<String, Number>> list = new LinkedHashMap<>();
        for (int i = 0; i < ARENAS; i++) {
            list.put("arena " + i, Map.of("slack (ms)", 0.25));
        }
        list.put("lobby", Map.of("slack (ms)", 7));
        return list;
    }

    private void open(String name) {
        sender.show(lobby.driver.newReader(), lobby.driver);
    }

    @AfterEach
    void closeLobby() {
        lobby.driver.close();
    }

    /** The first three rows. */
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
        ticks(3 * SECOND_TICKS);
        assertThat(calls).as("the list is closed").isZero();
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
        int asked = calls;
        ticks(3 * SECOND_TICKS);
        assertThat(calls).as("the list is closed again").isEqualTo(asked);
        assertThat(errors()).isEmpty();
    }
}
