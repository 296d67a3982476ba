package dev.escapement.bench.stress.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.trial.TrialRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MemoryWatchTest {

    private static final int KEPT_MEGABYTES = 64;
    private static final int LOOKS = 12;

    @Test
    void shouldReportWhatIsKept() {
        assertThat(heapGrowth(KEPT_MEGABYTES)).isGreaterThan(KEPT_MEGABYTES * 0.8);
    }

    @Test
    void shouldReportNoGrowthWhereNothingIsKept() {
        assertThat(heapGrowth(0)).isBetween(-10.0, 10.0);
    }

    private static double heapGrowth(int keptMegabytes) {
        return TrialRun.of(keeping(keptMegabytes), 1_000_000_000L, null).outcome().figures().stream()
                .filter(figure -> figure.name().equals("heap growth"))
                .mapToDouble(Figure::value)
                .findFirst()
                .orElseThrow();
    }

    /** Keeps as much from the middle of its time on. */
    private static Scenario keeping(int megabytes) {
        return new Scenario("keeping", "keeps memory", Set.of(), trial -> keep(trial, megabytes));
    }

    private static void keep(Trial trial, int megabytes) {
        List<byte[]> kept = new ArrayList<>();
        try (MemoryWatch watch = new MemoryWatch(trial)) {
            collect(watch, LOOKS);
            for (int i = 0; i < megabytes; i++) {
                kept.add(new byte[1 << 20]);
            }
            collect(watch, LOOKS);
        }
        assertThat(kept).hasSize(megabytes);
    }

    /** A collection each time, and wait until the watch has seen what it left. */
    private static void collect(MemoryWatch watch, int looks) {
        for (int i = 0; i < looks; i++) {
            System.gc();
            long seen = watch.looks.get();
            Polling.await(() -> watch.looks.get() > seen + 1);
        }
    }
}
