package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.openqa.selenium.By;

/** What the instruments of the page say of stutters, of a body, and of themselves. */
@EnabledIf("isThereABrowser")
class BrowserInstrumentsTest extends BrowserFixture {

    /** Frames of the page at even times, in place of those that it draws. */
    private static final String DRAW_EVERY = """
            const {metrics} = escapement.page;
            const add = Object.getPrototypeOf(metrics).addFrame;
            metrics.addFrame = () => {};
            metrics.frames = [];
            const frame = i => ({display: i * arguments[0] * 1e6, holds: 0, error: 0, lookBehind: 0, tick: 1});
            [...Array(60).keys()].forEach(i => add.call(metrics, frame(i)));
            """;

    @Test
    void shouldSayThatThePageItselfDrawsSlowly() {
        awaitTicking(() -> shownTick() > 5);
        browser.executeScript(DRAW_EVERY, 10);
        await(() -> !browser.findElement(By.id("slow")).isDisplayed());
        browser.executeScript(DRAW_EVERY, 60);
        await(() ->
                text("slow").contains("This page draws slowly") && text("slow").contains("not the world’s"));
        browser.executeScript(DRAW_EVERY, 10);
        await(() -> !browser.findElement(By.id("slow")).isDisplayed());
        assertThat(errors()).isEmpty();
    }

    /** Each of its frames takes 60 ms; in one, the picture moves by 5 ms too much. */
    @Test
    void shouldExplainAStutterOfASlowPageByThePage() {
        Object said = browser.executeAsyncScript("""
                const done = arguments[0];
                Promise.all([import("./metrics.js"), import("./explain.js")]).then(([{Metrics}, {explain}]) => {
                    const frames = millis => {
                        const metrics = new Metrics(1e7, 60e9);
                        [...Array(60).keys()].forEach(i =>
                            metrics.addFrame({display: i * millis * 1e6, holds: 0, error: i === 40 ? 5e6 : 0, lookBehind: 0, tick: i}));
                        return explain(40, metrics);
                    };
                    done([frames(60), frames(10)].join("\\n"));
                }, error => done(String(error)));
                """);
        String[] sentences = String.valueOf(said).split("\n", -1);
        assertThat(sentences[0])
                .contains("It drew no frame for 60.0 ms, usually 60.0 ms: the browser is slow, not the world.")
                .doesNotContain("Nothing else");
        assertThat(sentences[1]).doesNotContain("browser").contains("Nothing else here explains it");
    }

    /** Below the lane of stutters the time bar is empty, but for the stutter that is explained. */
    @Test
    void shouldMarkTheStutterThatIsExplained() {
        String marked = "(() => { const chart = Chart.getChart('bar'); const {metrics} = escapement.page;"
                + " const at = chart.scales.x.getPixelForValue(metrics.stutters.find(({tick}) => tick === " + STALL_TICK
                + ").nanos / 1e9); const ratio = chart.currentDevicePixelRatio;"
                + " return [at, at + 40].map(x => chart.ctx.getImageData(x * ratio, (chart.height - 2) * ratio, 1, 1).data[3] > 0)"
                + ".join(); })()";
        ticks(STALL_TICK + 150);
        await(() -> number("page.metrics.row(" + STALL_TICK + ")?.tick") == STALL_TICK);
        browser.executeScript("escapement.page.metrics.late.length = 0");
        await(() -> "false,false".equals(string(marked)));
        browser.executeScript("escapement.page.explain(" + STALL_TICK + ")");
        await(() -> "true,false".equals(string(marked)));
        assertThat(text("span")).contains("Blue: the tick explained.").contains("Red: stutter, click for its cause.");
        assertThat(errors()).isEmpty();
    }

    /** They rise by 10 mm in each tick of 10 ms. */
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
        assertThat(shown).isBetween(0.3, Climbers.height(world(0)));
        assertThat(errors()).isEmpty();
    }

    /** Three bodies at rest, beside one that moves, and alone: how much the colours of the first two differ, of what they do awake. */
    @Test
    void shouldTellBodiesApartByTheirColoursWhereAllSleep() {
        Object differences = browser.executeAsyncScript("""
                const done = arguments[0];
                import("three").then(({Vector3}) => {
                    const picture = (tick, moved) => ({
                        tick, simNanos: 1e7 * tick, origin: new Vector3(), generation: [1, 1, 1, 1],
                        units: [0, 1000, 2000, 3000 + moved].flatMap(x => [x, 0, 0]), rotation: [0, 1, 2, 3].flatMap(() => [0, 0, 0, 1]),
                        riders: new Map(), centres: new Map(), snapped: new Set(), quarantined: new Set(), spins: new Map(),
                    });
                    const {bodies} = escapement.page.view;
                    const difference = (moved, all) => {
                        const b = picture(8, moved);
                        const a = {...b, ...picture(7, 0), units: b.units.map((unit, i) => unit - (all || i === 9 ? moved : 0))};
                        [...Array(200)].forEach(() => bodies.draw({a, b, alpha: 0.5}, new Vector3(), 100, null));
                        const [{mesh: {instanceColor: {array}}}] = bodies.kinds;
                        return Math.hypot(...[0, 1, 2].map(channel => array[channel] - array[3 + channel]));
                    };
                    const awake = difference(5, true);
                    const besideOthers = difference(5, false) / awake;
                    const alone = difference(0, false) / awake;
                    done([besideOthers, alone, bodies.legend().map(([text]) => text).join()]);
                }, error => done([String(error)]));
                """);
        assertThat(differences)
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .satisfiesExactly(
                        besideOthers -> assertThat(((Number) besideOthers).doubleValue())
                                .isBetween(0.3, 0.4),
                        alone -> assertThat(((Number) alone).doubleValue()).isBetween(0.7, 0.8),
                        legend -> assertThat(legend).isEqualTo("at rest: a colour each"));
    }

    private void plot(String what) {
        browser.findElement(By.xpath("//*[@id='ticks']//option[. = '" + what + "']"))
                .click();
    }

    private String values() {
        return browser.findElement(By.cssSelector("#ticks tbody")).getText();
    }
}
