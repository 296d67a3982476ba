package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;

/** The time bar of a world that can rewind. */
@EnabledIf("isThereABrowser")
class BrowserRewindTest extends BrowserFixture {

    private WebElement bar() {
        return browser.findElement(By.id("bar"));
    }

    private void runUntilThePageKnows(int ticks) {
        ticks(ticks);
        await(() -> number("page.state.historyTo") >= ticks - 50 && shownTick() >= ticks);
    }

    /** Presses the bar in its right part, and moves to the left until the page shows a tick before {@code before}. */
    private void drag(long before) {
        int right = bar().getSize().width / 2 - 20;
        new Actions(browser).moveToElement(bar(), right, 0).clickAndHold().perform();
        Await.until(() -> {
            new Actions(browser).moveByOffset(-24, 0).perform();
            rounds(1); // else a slow browser repeats its requests until the server refuses them
            return number("page.past.position") < before;
        });
    }

    @Test
    void shouldGoOnFromWhereTheBarIsLetGo() {
        runUntilThePageKnows(120);
        drag(100);
        long to = (long) number("page.past.position");
        await(() -> isScrubbedTo(to));
        int from = world.ticks + 1;
        ticks(1);
        assertThat(world.ticks).as("while it is dragged").isEqualTo(from);

        new Actions(browser).release().perform();
        awaitTicking(() -> text("notice").matches("Went back from tick \\d+ to tick " + to + "\\."));
        awaitTicking(() -> "live".equals(get("page.mode")) && shownTick() > from);
        await(() -> isShown(world.ticks));

        browser.executeScript("window.escapement.page.scrubTo(" + (to + 1) + "); window.escapement.page.goOn()");
        await(() -> text("notice")
                .equals("Refused: rewind. tick " + (to + 1) + " is gone: after it, the world went back to before it"));
        assertThat(get("page.mode")).isEqualTo("scrub");
        assertThat(errors()).isEmpty();
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
        int before = world.ticks;
        ticks(20);
        assertThat(text("notice")).as("was not asked to").isEmpty();
        assertThat(world.ticks).as("was not let back").isEqualTo(before + 20);

        browser.executeScript("window.escapement.page.scrubTo(100)");
        await(() -> isScrubbedTo(100));
        assertThat(bar().getDomAttribute("aria-valuetext")).matches("tick 100, 0\\.\\d s ago");
        bar().sendKeys(Keys.ARROW_LEFT, Keys.ENTER);
        awaitTicking(() -> world.ticks == 100);
        awaitTicking(() -> "live".equals(get("page.mode")));
        assertThat(errors()).isEmpty();
    }
}
