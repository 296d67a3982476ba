package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.bench.jmh.RatiosCommand.Ratio;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Group;
import picocli.CommandLine;

class RatiosCommandTest {

    private static final String RESULT = """
            {"benchmark": "dev.escapement.bench.jmh.%s", "params": {%s}, "primaryMetric": {"rawData": [[%s], [2, 2]]},
             "secondaryMetrics": {"oneReaderWrite": {"rawData": [[%s], [%s]]}}}""";

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();

    @Test
    void shouldDivideTheMeansOfTheForks() throws Exception {
        String readers = "\"readers\": \"1\"";
        String floor = RESULT.formatted("HandoffFloorBenchmark.floorGetAndSet", readers, "1, 3", 1, 1);
        String ours = RESULT.formatted("HandoffFloorBenchmark.escapementHandover", readers, "2, 3.6", 1, 1);
        assertThat(ratios("[" + floor + "," + ours.replace("[2, 2]", "[2.8, 2.8]") + "]"))
                .isZero();
        assertThat(out.toString().lines())
                .containsExactly(
                        "| | ratio | 95% interval | goal |",
                        "|---|---|---|---|",
                        "| publish to 1 reader and acquire, over two getAndSet | 1.40 | 1.40 to 1.40 | at most 1.5 |");
    }

    @Test
    void shouldTakeTheShareOfOneThreadOfAGroup() throws Exception {
        String parameters = "\"bodies\": \"10000\", \"contestant\": \"JCTOOLS\"";
        String queue = RESULT.formatted("HandoffContendedBenchmark.oneReader", parameters, "2", 8, 8);
        String ours = queue.replace("JCTOOLS", "ESCAPEMENT").replace("8", "4");
        assertThat(ratios("[" + queue + "," + ours + "]")).isZero();
        assertThat(out.toString()).contains("over ours | 2.00 | 2.00 to 2.00 |  |");
    }

    /** With these samples, the interval uses Student's t with two degrees of freedom, whose 97.5% point is 4.302653 in every table. */
    @Test
    void shouldBeWelchsIntervalOfTheLogarithms() {
        assertThat(RatiosCommand.estimate(new double[] {1, 3}, new double[] {0, 2}))
                .isEqualTo("2.72 | 0.00619 to 1.19e+03"); // e, and e to the power of 1 +- 4.302653 * sqrt(2)
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RatiosCommand.estimate(new double[] {1}, new double[] {0, 2}))
                .withMessageContaining("2 forks or more");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "{}", "[{}]", "no JSON ["})
    void shouldRefuseAFileWithoutBenchmarks(String content) throws Exception {
        assertThat(ratios(content)).isEqualTo(2);
    }

    /** If a benchmark were renamed, its ratio would silently be missing in the results. */
    @Test
    void shouldNameBenchmarksThatExist() throws Exception {
        for (Ratio ratio : Ratio.all()) {
            for (String name : List.of(ratio.numerator(), ratio.denominator())) {
                String[] parts = name.replaceAll("[ #].*", "").split("\\.", -1);
                assertThat(Class.forName("dev.escapement.bench.jmh." + parts[0]).getMethods())
                        .as(name)
                        .anyMatch(method -> isBenchmark(method, parts[1]));
            }
        }
    }

    private static boolean isBenchmark(Method method, String name) {
        Group group = method.getAnnotation(Group.class);
        return method.isAnnotationPresent(Benchmark.class)
                && name.equals(group == null ? method.getName() : group.value());
    }

    private int ratios(String content) throws Exception {
        return new CommandLine(new RatiosCommand())
                .setOut(new PrintWriter(out, true))
                .setExecutionExceptionHandler((e, failed, result) -> e instanceof IllegalArgumentException ? 2 : 3)
                .execute(Files.writeString(folder.resolve("jmh.json"), content).toString());
    }
}
