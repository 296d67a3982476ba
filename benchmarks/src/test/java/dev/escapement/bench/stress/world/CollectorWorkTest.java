package dev.escapement.bench.stress.world;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.GarbageCollectorMXBean;
import com.sun.management.GcInfo;
import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Promise;
import java.lang.management.ManagementFactory;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** With the collector of this JVM, whichever it is. */
class CollectorWorkTest {

    @Test
    void shouldReportNoShorterPauseThanTheJvmRemembers() {
        List<Figure> figures = Tried.of(Promise.WHOLE, trial -> {
                    try (CollectorWork work = new CollectorWork()) {
                        System.gc();
                        work.report(trial);
                    }
                })
                .figures();
        assertThat(figure(figures, "collector pauses per second").value()).isPositive();
        Figure longest = figure(figures, "longest collector pause");
        assertThat(longest.unit()).isEqualTo("ms");
        assertThat(longest.value()).isGreaterThanOrEqualTo(lastPauseMillis());
    }

    private static Figure figure(List<Figure> figures, String name) {
        return figures.stream()
                .filter(figure -> figure.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** The one that was asked for, or a later one. */
    private static double lastPauseMillis() {
        return ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class).stream()
                .filter(bean -> !bean.getName().contains("Cycles"))
                .map(GarbageCollectorMXBean::getLastGcInfo)
                .filter(Objects::nonNull)
                .max(Comparator.comparingLong(GcInfo::getEndTime))
                .orElseThrow()
                .getDuration();
    }
}
