package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.bench.stress.StressReport.Distribution;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StressReportTest {

    private static final Checked WHOLE = new Checked(Promise.WHOLE.toString(), Promise.WHOLE.says(), 1_200, 0, "");
    private static final Checked TORN =
            new Checked(Promise.WHOLE.toString(), Promise.WHOLE.says(), 1_200, 2, "tick 7 is torn");
    private static final Checked UNCHECKED = new Checked(Promise.FRESH.toString(), Promise.FRESH.says(), 0, 0, "");

    private static StressReport report(Map<String, String> leftOut, Checked... checks) {
        return new StressReport(
                "Crates",
                7,
                List.of(StormPart.READERS, StormPart.SLOW_LISTENER),
                leftOut,
                60,
                1,
                6_000,
                List.of(checks),
                List.of("a tick allocates 1 MB"),
                "",
                List.of(new Distribution("lateness, ms", 0.011, 0.052, 0.41, 1_234.5)));
    }

    @Test
    void shouldSayWhatHeldUnderWhat() {
        StressReport held = report(Map.of("fresh", "without readers"), WHOLE, UNCHECKED);
        assertThat(held.verdict())
                .isEqualTo("Crates kept 1 promises in 1,200 checks, 6,000 ticks in 1 services,"
                        + " under readers, slow-listener (seed 7).");
        assertThat(held.headline()).isEqualTo("Held.");
        assertThat(held.held()).isTrue();
        assertThat(held.gaps()).isEmpty();
        held.requireHeld();
    }

    @Test
    void shouldNotHoldWhereNothingWasChecked() {
        StressReport empty = report(Map.of(), UNCHECKED);
        assertThat(empty.held()).isFalse();
        assertThat(empty.verdict()).startsWith("Nothing was checked in 60.0 s of Crates");
        assertThatThrownBy(empty::requireHeld)
                .isInstanceOf(AssertionError.class)
                .hasMessage(empty.text());
    }

    @Test
    void shouldListEverythingInRows() {
        assertThat(report(Map.of("page", "there is no web server"), TORN, UNCHECKED)
                        .text()
                        .lines())
                .contains(
                        "             1,200  no snapshot changes while a reader holds it: broken 2 times, first: tick 7 is torn",
                        "                 0  no window is older than the tick published before acquiring it: never checked",
                        "lateness, ms                        0.011        0.052        0.410    1,234.500",
                        "Finding: a tick allocates 1 MB",
                        "Left out: page, there is no web server");
    }
}
