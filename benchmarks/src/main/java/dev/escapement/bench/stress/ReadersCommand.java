package dev.escapement.bench.stress;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.HorizontalAlign;
import dev.escapement.bench.handoff.Contestant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code escapement readers}: what JMH cannot show. */
@Command(
        name = "readers",
        mixinStandardHelpOptions = true,
        description = {
            "Shows what a busy and a stalled reader do to the writer, for Escapement and for what people use today.",
            "Let nothing else run meanwhile; it takes two minutes."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the spec
public final class ReadersCommand implements Callable<Integer> {

    private static final int ROUNDS = 10;

    @Spec
    private CommandSpec spec;

    private record Row(
            String contestant,
            String slowdown,
            String p50,
            String p999,
            String max,
            String publishes,
            String refused) {}

    @Override
    public Integer call() throws InterruptedException {
        List<Row> rows = new ArrayList<>();
        for (Contestant contestant : Contestant.values()) {
            double slowdown = ReaderScenarios.slowdownByBusyReader(contestant, ROUNDS);
            WriterTimes stalled = ReaderScenarios.underStalledReader(contestant);
            Histogram publish = stalled.publish;
            rows.add(new Row(
                    contestant.name().toLowerCase(Locale.ROOT),
                    String.format(Locale.ROOT, "%.2f", slowdown),
                    micros(publish.getValueAtPercentile(50)),
                    micros(publish.getValueAtPercentile(99.9)),
                    micros(publish.getMaxValue()),
                    String.format(Locale.ROOT, "%,d", publish.getTotalCount()),
                    String.format(Locale.ROOT, "%,d", stalled.refused)));
        }
        spec.commandLine().getOut().println(table(rows));
        spec.commandLine()
                .getOut()
                .println(
                        "busy: the writer's median to fill and publish 10,000 bodies under a reader that never rests, over its"
                                + " median without one; median of 10 rounds of both in turn. stalled: the writer's publish of"
                                + " 1,000 bodies (us) in the half second after a reader stalled for a second.");
        return 0;
    }

    private static String table(List<Row> rows) {
        return AsciiTable.getTable(
                AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS,
                rows,
                List.of(
                        new Column().dataAlign(HorizontalAlign.LEFT).with(Row::contestant),
                        new Column().header("busy: slowdown").with(Row::slowdown),
                        new Column().header("stalled: p50").with(Row::p50),
                        new Column().header("p99.9").with(Row::p999),
                        new Column().header("max").with(Row::max),
                        new Column().header("publishes").with(Row::publishes),
                        new Column().header("refused").with(Row::refused)));
    }

    private static String micros(long nanos) {
        return String.format(Locale.ROOT, "%,.2f", nanos / 1e3);
    }
}
