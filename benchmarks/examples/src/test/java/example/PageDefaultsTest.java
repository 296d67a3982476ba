package example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.loop.Settings;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.render.web.LivePage;
import dev.escapement.state.time.NanoClock;
import example.engine.BouncingBalls;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares the defaults and limits of the pages with the code's. */
class PageDefaultsTest {

    private static final Path ROOT = Path.of("..", "..");

    private final Settings settings = defaults();

    @Test
    void shouldListTheDefaultsOfServices() throws IOException {
        assertThat(settings.lateTicks()).isEqualTo(LateTicks.dilate());
        assertThat(defaults("physics-thread/docs/settings.md", "setting"))
                .isEqualTo(Map.of(
                        "rate", settings.rate().toString(),
                        "preallocate", String.valueOf(settings.preallocatedBodies()),
                        "maxReaders", String.valueOf(settings.maxReaders()),
                        "windowSize", String.valueOf(settings.windowSize()),
                        "lateTicks", "dilate()",
                        "waitStrategy", settings.waitStrategy().toString(),
                        "threadPolicy", text(settings.threadPolicy())));
    }

    @Test
    void shouldListTheDefaultsOfLivePages() throws Exception {
        Map<String, String> code = new TreeMap<>();
        try (InlineDriver driver = PhysicsService.builder(settings.simulation()).inline(NanoClock.system())) {
            Object page = LivePage.of(driver.newReader());
            for (String name : List.of("address", "frames", "historySeconds", "hosts", "port", "prefix", "worlds")) {
                code.put(name, text(read(page, page.getClass().getDeclaredField(name))));
            }
            code.put("rewinds", text(read(page, page.getClass().getDeclaredField("rewindable"))));
        }
        Map<String, String> page = defaults("render-thread/docs/live.md", "option");
        assertThat(code.remove("port")).as("any that is free").isEqualTo("0");
        assertThat(page.remove("port, token")).isEqualTo("a free one, a random one");
        page.computeIfPresent("historySeconds", (name, text) -> text.replace(" s", ""));
        page.put("frames", page.remove("frameAncestors"));
        page.put("prefix", page.get("hosts, prefix"));
        page.put("hosts", page.remove("hosts, prefix"));
        assertThat(page).isEqualTo(code);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            benchmarks/README.md; keeps the last # s; physics.replay.flight.FlightRecorder.BACK_NANOS; 1e9
            benchmarks/examples/docs/concepts.md; the last K snapshots, # by default; physics.loop.Settings.windowSize; 1
            benchmarks/examples/docs/tasks.md; a state of up to # bytes; physics.command.CommandType.MAX_BYTES; 1
            physics-thread/clusters/aeron/README.md; the deadline, by default # ms; cluster.aeron.ClusterNode.LEAD_NANOS; 1e6
            physics-thread/clusters/aeron/README.md; after # s without an answer; cluster.aeron.PendingAnswers.TIMEOUT_NANOS; 1e9
            physics-thread/clusters/aeron/README.md; most # MiB of commands; cluster.aeron.LogClients.MAX_COMMAND_BYTES; 1048576
            physics-thread/clusters/aeron/README.md; silent for # s; cluster.aeron.LogClients.SILENCE_NANOS; 1e9
            physics-thread/clusters/aeron/README.md; # MiB of the log; cluster.aeron.ClusteredPhysics.KEPT_LOG_BYTES; 1048576
            physics-thread/docs/back.md; a history's memory, # MiB by default; physics.replay.history.StateHistory.DEFAULT_BYTES; 1048576
            physics-thread/docs/back.md; `Interpolation.fadeWithin` (# ms); render.interpolation.Interpolation.FADE_NANOS; 1e6
            physics-thread/docs/commands.md; in a pause, within about # ms; physics.schedule.TickSchedule.LOOK_NANOS; 1e6
            physics-thread/docs/failure.md; `FAILED` after about # s; physics.loop.Settings.closeTimeoutNanos; 1e9
            physics-thread/docs/failure.md; changes its speed about every # ms; physics.schedule.TickSchedule.LOOK_NANOS; 1e6
            physics-thread/docs/recording.md; keeps the last # s; physics.replay.flight.FlightRecorder.BACK_NANOS; 1e9
            physics-thread/docs/recording.md; at most # archived files; physics.replay.flight.FlightFiles.MAX; 1
            physics-thread/docs/recording.md; # MiB of the present run; physics.replay.flight.FlightRecorder.DEFAULT_BYTES; 1048576
            physics-thread/docs/settings.md; 'snapshots of a window, 2 to #'; state.exchange.Window.MAX_SIZE; 1
            physics-thread/docs/server.md; Packets have at most # bytes; state.wire.udp.Protocol.MAX_BYTES; 1
            physics-thread/docs/server.md; event is at most # ms old; state.wire.udp.RemoteClient.MAX_BACK_NANOS; 1e6
            physics-thread/docs/server.md; or is silent for # s; state.wire.udp.ServerEndpoint.SILENCE_NANOS; 1e9
            render-thread/backends/web/docs/protocol.md; JSON, at most # kB; render.web.PageServer.MAX_MESSAGE_BYTES; 1024
            render-thread/backends/web/docs/protocol.md; At most # requests wait; render.web.Client.MAX_REQUESTS; 1
            render-thread/backends/web/docs/protocol.md; the first # worlds that match; render.web.WorldList.MAX_ROWS; 1
            render-thread/docs/live.md; in at most # MiB; render.web.Sender.MAX_HISTORY_BYTES; 1048576
            render-thread/docs/live.md; after # s of silence; render.web.Client.MAX_SILENT_NANOS; 1e9
            render-thread/docs/live.md; at most # clients; render.web.Sender.MAX_CLIENTS; 1
            render-thread/docs/live.md; clients, # connections; render.web.PageServer.MAX_CONNECTIONS; 1
            render-thread/docs/live.md; connections, # kB a message; render.web.PageServer.MAX_MESSAGE_BYTES; 1024
            render-thread/docs/live.md; a message, # s a request; render.web.PageServer.MAX_REQUEST_NANOS; 1e9
            render-thread/docs/poses.md; needs `windowSize(#)`; render.interpolation.Interpolation.MIN_SNAPSHOTS; 1
            render-thread/docs/poses.md; '(#)`; worlds received over a network have this size'; state.wire.TickPlayout.WINDOW_SIZE; 1
            shared-state/docs/design.md; K = # by default; physics.loop.Settings.windowSize; 1
            shared-state/transports/aeron/README.md; `term-length=#m`; transport.aeron.StreamChannel.TERM_BYTES; 1048576
            shared-state/transports/aeron/README.md; `so-rcvbuf=#m`; transport.aeron.StreamChannel.SOCKET_BYTES; 1048576
            shared-state/transports/aeron/README.md; `rcv-wnd=#k`; transport.aeron.StreamChannel.WINDOW_BYTES; 1024
            """)
    void shouldNameTheNumbersOfTheCode(String page, String sentence, String constant, double unit) throws Exception {
        int dot = constant.lastIndexOf('.');
        Field field = Class.forName("dev.escapement." + constant.substring(0, dot))
                .getDeclaredField(constant.substring(dot + 1));
        Number value =
                (Number) Objects.requireNonNull(read(Modifier.isStatic(field.getModifiers()) ? null : settings, field));
        String number = new DecimalFormat("#,##0.##", DecimalFormatSymbols.getInstance(Locale.ROOT))
                .format(value.doubleValue() / unit);
        assertThat(ROOT.resolve(page)).content().contains(sentence.replace("#", number));
    }

    private static Settings defaults() {
        try {
            PhysicsServiceBuilder builder = PhysicsService.builder(new BouncingBalls(1, 1));
            Method settings = PhysicsServiceBuilder.class.getDeclaredMethod("settings", Settings.Runner.class);
            settings.setAccessible(true);
            return (Settings) settings.invoke(builder, Settings.Runner.OWN_THREAD);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("the builder has changed", e);
        }
    }

    /** Returns the defaults in the page's table, whose first column has the given title, by the names in that column. */
    private static Map<String, String> defaults(String page, String title) throws IOException {
        List<String[]> rows = Files.readAllLines(ROOT.resolve(page)).stream()
                .dropWhile(line -> !line.startsWith("| " + title + " |"))
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> line.replace("`", "").substring(2).split(" \\| | \\|"))
                .toList();
        int column = List.of(rows.get(0)).indexOf("default");
        Map<String, String> defaults = new TreeMap<>();
        rows.stream().skip(2).forEach(row -> defaults.put(row[0], row[column]));
        return defaults;
    }

    private static @Nullable Object read(@Nullable Object owner, Field field) throws IllegalAccessException {
        field.setAccessible(true);
        return field.get(owner);
    }

    private static String text(@Nullable Object value) {
        if (value == null || value.equals("") || value.equals(Set.of())) {
            return "none";
        }
        return value instanceof InetAddress address ? address.getHostAddress() : value.toString();
    }
}
