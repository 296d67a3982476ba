package dev.escapement.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The ordered accesses to memory in each class of the core, of hosts, worlds and replay, with their number if it is not one. An x86
 * processor keeps most orders even for weaker accesses, so no test on such a processor finds an access that was weakened. After a change of
 * this list, check that each changed access still fits the access that it pairs with.
 */
class OrderedAccessesTest {

    private static final List<String> MODULES = List.of(
            "shared-state",
            "physics-thread",
            "render-thread",
            "physics-thread/host",
            "physics-thread/worlds",
            "physics-thread/replay");

    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

    private static final String EXPECTED = """
            physics.InlineDriver: volatile closed
            physics.PhysicsService: volatile startedAtNanos
            physics.host.Crew: fullFence, get 8, getAndIncrement, set 3, volatile reserved, \
            volatile seats, volatile stepNanos, volatile stepping, volatile stopped
            physics.host.HostWatch: get, volatile lookNanos
            physics.host.Inbox: compareAndSet, getAndSet 2, getOpaque 2, getPlain, set
            physics.host.PhysicsHost: get
            physics.host.Seat: compareAndSet 2, get 3, getAcquire 3, getAndSet 5, getOpaque 11, \
            getPlain 6, setOpaque 10, setRelease 2, volatile isEnding
            physics.host.Worker: get 4, getAcquire 2, setRelease 4, volatile lost
            physics.lifecycle.Lifecycle: compareAndSet 2, fullFence 2, get 3, set 4, volatile cancelled, volatile servesNow
            physics.lifecycle.UnclosedService: volatile open
            physics.loop.Histogram: getAcquire, getOpaque, getPlain 2, setOpaque, setRelease
            physics.loop.InputDevices: getAndIncrement 2
            physics.loop.RunStats: getOpaque 6, getPlain 3, setOpaque 5, volatile threadGrants
            physics.loop.TickLoop: getAcquire, setRelease 2, volatile wake
            physics.loop.TickMeters: compareAndExchange, getAcquire 2
            physics.loop.TickSchedule: compareAndSet, get 3
            physics.loop.TimeAccount: getOpaque 5, getPlain 5, setOpaque
            physics.replay.flight.FlightRecorder: compareAndSet, get 4, volatile ended, volatile ring
            physics.replay.flight.FlightRing: volatile prepared
            physics.replay.history.Reconciler: accumulateAndGet, compareAndSet 2, get
            physics.replay.history.StateHistory: volatile run
            physics.replay.history.SyncTest: get 3, set
            physics.replay.log.LogTicks: get 2, set 2
            physics.replay.log.Recording: compareAndSet, get 3, volatile closed, volatile thread
            physics.replay.log.RecordingThread: compareAndSet, get 2, volatile ending
            physics.replay.store.StateDelta: get 4, set 2
            physics.request.CommandQueue: fullFence 2, get 3, getAndIncrement 2, getOpaque, \
            incrementAndGet, volatile ended, volatile round, volatile running
            physics.request.PendingCommand: compareAndSet, getAndDecrement, getAndSet
            physics.request.TimeRequests: get 2, set 3, updateAndGet 2, volatile scaleWanted
            physics.usercode.FailureReport: compareAndSet
            physics.usercode.UserCodeGuard: compareAndSet 2, getAcquire 2, getPlain 3, setRelease
            physics.world.EngineCalls: volatile begun
            physics.world.JumpFinder: getPlain 2, setOpaque
            physics.world.WorldLease: volatile stepping
            physics.world.WorldSimulation: getOpaque
            render.RenderLoop: getOpaque, setOpaque
            render.Succession: get 2, getAndSet 5, volatile ended
            state.capture.BodySlots: getAndSet 2, getOpaque 6, getPlain 2, setPlain 2, volatile offeredPlaces, weakCompareAndSetPlain 4
            state.capture.Capture: getOpaque
            state.capture.WritingThread: compareAndSet, get, volatile phase
            state.capture.WrittenPoses: getPlain 3, setOpaque
            state.event.EventHub: get, updateAndGet 2
            state.event.EventStream: compareAndSet, getOpaque, getPlain, set 2, setOpaque
            state.exchange.ReaderSlot: compareAndSet 2, get 2, set
            state.exchange.WindowWord: getAndSet 2, getOpaque
            state.input.InputEvent: volatile abandoned
            state.input.InputRing: compareAndExchange, compareAndSet 2, get, getAcquire 2, \
            getAndIncrement 2, getOpaque 3, getPlain 3, set, setOpaque, setRelease
            state.input.InputSampler: volatile waitingCount
            state.internal.FirstFailure: compareAndExchange, get
            state.thread.ThreadConfined: compareAndSet 2, getAcquire 3, setRelease 2
            state.time.ManualClock: get, getAndAdd
            state.time.Pacer: volatile cancelled, volatile signalled, volatile waitingThread
            state.world.MetricRing: getAcquire 2, getOpaque 2, getPlain 4, loadLoadFence, setOpaque 3, setRelease, storeStoreFence
            """;

    @Test
    void shouldOrderWhatItOrdered() throws IOException {
        Map<String, Map<String, Integer>> accesses = new TreeMap<>();
        for (JavaClass type : new ClassFileImporter().importUrls(classFiles())) {
            Map<String, Integer> ofType = accesses.computeIfAbsent(outermost(type), key -> new TreeMap<>());
            for (JavaField field : type.getFields()) {
                if (field.getModifiers().contains(JavaModifier.VOLATILE)) {
                    ofType.merge("volatile " + field.getName(), 1, Integer::sum);
                }
            }
            for (JavaMethodCall call : type.getMethodCallsFromSelf()) {
                if (isOrdered(call.getTargetOwner().getName())) {
                    ofType.merge(call.getName(), 1, Integer::sum);
                }
            }
        }
        accesses.values().removeIf(Map::isEmpty);
        StringBuilder listing = new StringBuilder();
        accesses.forEach((type, counts) -> listing.append(type)
                .append(": ")
                .append(counts.entrySet().stream()
                        .map(count -> count.getKey() + (count.getValue() == 1 ? "" : " " + count.getValue()))
                        .collect(Collectors.joining(", ", "", "\n"))));
        assertThat(listing.toString())
                .as("An access changed its order. Check its partner and the comments of both, then change this list")
                .isEqualTo(EXPECTED);
    }

    private static boolean isOrdered(String owner) {
        return owner.equals("java.lang.invoke.VarHandle") || owner.startsWith("java.util.concurrent.atomic.");
    }

    /** The name of the outermost class, because accesses of lambdas and inner classes are counted for it. */
    private static String outermost(JavaClass type) {
        return type.getName().replaceFirst("\\$.*", "").substring("dev.escapement.".length());
    }

    private static List<URL> classFiles() throws IOException {
        ClassLoader loader = OrderedAccessesTest.class.getClassLoader();
        List<URL> urls = new ArrayList<>();
        for (String module : MODULES) {
            Path classes = ROOT.resolve(module).resolve("target/classes");
            try (Stream<Path> files = Files.walk(classes.resolve("dev"))) {
                files.map(file -> classes.relativize(file).toString().replace('\\', '/'))
                        .filter(name -> name.endsWith(".class"))
                        .forEach(name -> urls.add(Objects.requireNonNull(loader.getResource(name), name)));
            }
        }
        return urls;
    }
}
