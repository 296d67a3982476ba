package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.exchange.SnapshotReader;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;

/** The time bar of a world that can rewind. */
@EnabledIf("isThereABrowser")
class BrowserRewindTest extends BrowserFixture {

    private final SnapshotReader reader = world.driver.newReader();

    private WebElement bar() {
        return browser.findElement(By.id("bar"));
    }

    /** Runs ticks unless time stands still. The page sees each, and each follows the tick before. */
    private void run(int ticks) {
        for (int tick = 0; tick < ticks; tick++) {
            boolean hadWindow = reader.hasWindow();
            long before = hadWindow ? reader.window().newestTick() : 0;
            ticks(1);
            if (reader.acquire() && hadWindow) {
                assertThat(reader.window().newestTick()).isBetween(before, before + 1);
            }
        }
    }

    private void runUntilThePageKnows(int ticks) {
        ticks(STALL_TICK + 5); // some of these ticks run at once
        run(ticks - world.ticks);
        await(() -> number("page.state.historyTo") >= ticks - 50 && shownTick() >= ticks);
    }

    /** Presses the bar in its right part, and moves to the left until the page shows a tick before {@code before}. */
    private void drag(long before) {
        int right = bar().getSize().width / 2 - 20;
        new Actions(browser).moveToElement(bar(), right, 0).clickAndHold().perform();
        while (number("page.past.position") >= before) {
            new Actions(browser).moveByOffset(-24, 0).perform();
            rounds(1); // else a slow browser repeats its requests until the server refuses them
        }
    }

    @Test
    void shouldGoOnFromWhereTheBarIsLetGo() {
        runUntilThePageKnows(120);
        drag(100);
        long to = (long) number("page.past.position");
        await(() -> isScrubbedTo(to));
        run(1);
        assertThat(world.ticks).as("while it is dragged").isEqualTo(121);

        new Actions(browser).release().perform();
        long from = goneBack(to);
        await(() -> text("notice").equals("Went back from tick " + from + " to tick " + to + "."));
        awaitRunning(() -> "live".equals(get("page.mode")) && shownTick() > from);
        await(() -> isShown(world.ticks));

        browser.executeScript("window.escapement.page.scrubTo(" + (to + 1) + "); window.escapement.page.goOn()");
        await(() -> text("notice")
                .equals("Refused: rewind. tick " + (to + 1) + " is gone: after it, the world went back to before it"));
        assertThat(get("page.mode")).isEqualTo("scrub");
        assertThat(errors()).isEmpty();
    }

    /** Runs ticks until the world has rewound to a tick, and one more. Returns the readers' number of the last tick before that. */
    private long goneBack(long to) {
        awaitRunning(() -> world.ticks == to + 1);
        return reader.window().newestTick() - 1;
    }

    private void awaitRunning(BooleanSupplier condition) {
        await(() -> {
            run(1);
            return condition.getAsBoolean();
        });
    }

    @Test
    void shouldOnlyLookUntilEnterIsPressed() {
        runUntilThePageKnows(120);
        drag(100);
        bar().sendKeys(Keys.ESCAPE);
        new Actions(browser).moveByOffset(-5, 0).release().perform();
        int left = 60 - bar().getSize().width / 2;
        new Actions(browser).moveToElement(bar(), left, 0).click().perform();
        rounds(20);
        run(20);
        assertThat(text("notice")).as("was not asked to").isEmpty();
        assertThat(world.ticks).as("was not let back").isEqualTo(140);

        browser.executeScript("window.escapement.page.scrubTo(100)");
        await(() -> isScrubbedTo(100));
        assertThat(bar().getDomAttribute("aria-valuetext")).matches("tick 100, 0\\.\\d s ago");
        bar().sendKeys(Keys.ARROW_LEFT, Keys.ENTER);
        goneBack(99);
        awaitRunning(() -> "live".equals(get("page.mode")));
        assertThat(errors()).isEmpty();
    }
}
