package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openjdk.jmh.annotations.Benchmark;
import picocli.CommandLine;

class RatiosCommandTest {

    private static final String RESULT = """
            {"benchmark": "dev.escapement.bench.jmh.%s", %s "forks": 2, "jdkVersion": "17", "vmName": "VM",
             "primaryMetric": {"rawData": [[1, 3], [2, 2]]},
             "secondaryMetrics": {"gc.count": {"rawData": [[0]]}, "%s": {"rawData": [[%s], [%s]]}}}""";

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringBuilder message = new StringBuilder();

    @Test
    void shouldDivideTheMeansOfTheForks() throws Exception {
        String params = "\"params\": {\"readers\": \"1\"},";
        String floor = RESULT.formatted("HandoffFloorBenchmark.floorGetAndSet", params, "x", 1, 1);
        String ours = RESULT.formatted("HandoffFloorBenchmark.escapementHandover", params, "x", 1, 1)
                .replace("[1, 3], [2, 2]", "[2, 3.6], [2.8, 2.8]");
        assertThat(ratios("[" + floor + "," + ours + "]")).isZero();
        assertThat(out.toString().lines())
                .containsExactly(
                        "JDK 17, VM, 2 forks",
                        "",
                        "| The handover beside its floor | ratio | 95% interval | goal |",
                        "|---|---|---|---|",
                        "| empty publish to 1 reader and an acquire, over two getAndSet | 1.40 | 1.40 to 1.40 | at most 1.5 |");
    }

    @Test
    void shouldTakeTheShareOfOneThreadOfAGroup() throws Exception {
        String params = "\"params\": {\"bodies\": \"10000\"},";
        String peer = params.replace("}", ", \"contestant\": \"JCTOOLS\"}");
        String own = params.replace("}", ", \"contestant\": \"ESCAPEMENT\"}");
        String queue = RESULT.formatted("HandoffContendedBenchmark.oneReader", peer, "oneReaderWrite", 8, 8);
        String ours = RESULT.formatted("HandoffContendedBenchmark.oneReader", own, "oneReaderWrite", 4, 4);
        assertThat(ratios("[" + queue + "," + ours + "]")).isZero();
        assertThat(out.toString()).contains("| JCTools' SPSC queue | 2.00 | 2.00 to 2.00 |  |");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            []          | have no two benchmarks of a ratio
            {}          | was not written by 'bench
            [{}]        | was not written by 'bench
            no JSON [   | was not written by 'bench
            """)
    void shouldSayWhatIsWrongWithAFile(String content, String says) throws Exception {
        assertThat(ratios(content)).isEqualTo(2);
        assertThat(message.toString()).contains(says);
    }

    /** A benchmark or a contestant that is renamed would silently be missing in the results. */
    @Test
    void shouldNameBenchmarksAndContestantsThatExist() {
        Pattern contestant = Pattern.compile("contestant=(\\w+)");
        for (Ratio ratio : Ratio.all()) {
            assertThat(List.of(ratio.numerator(), ratio.denominator()))
                    .allSatisfy(name -> assertThat(isBenchmark(name.replaceAll("[ #].*", "")))
                            .as(name)
                            .isTrue());
            assertThat(contestant
                            .matcher(ratio.numerator() + ' ' + ratio.denominator())
                            .results())
                    .allSatisfy(name -> assertThat(HandoffContestant.values())
                            .extracting(Enum::name)
                            .contains(name.group(1)));
        }
    }

    private static boolean isBenchmark(String name) throws ClassNotFoundException {
        String[] parts = name.split("\\.", -1);
        return Arrays.stream(
                        Class.forName("dev.escapement.bench.jmh." + parts[0]).getMethods())
                .filter(method -> method.isAnnotationPresent(Benchmark.class))
                .anyMatch(method -> parts[1].equals(nameOf(method)));
    }

    /** The names of a group's halves begin with the name of the group. */
    private static String nameOf(Method method) {
        var group = method.getAnnotation(org.openjdk.jmh.annotations.Group.class);
        return group == null ? method.getName() : group.value();
    }

    private int ratios(String content) throws Exception {
        return command()
                .execute(Files.writeString(folder.resolve("jmh.json"), content).toString());
    }

    private CommandLine command() {
        return new CommandLine(new RatiosCommand())
                .setOut(new PrintWriter(out, true))
                .setExecutionExceptionHandler((e, failed, result) -> {
                    message.append(e.getMessage());
                    return e instanceof IllegalArgumentException ? 2 : 3;
                });
    }
}
