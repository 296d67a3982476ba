import com.sun.jdi.Bootstrap;
import com.sun.jdi.ClassType;
import com.sun.jdi.Method;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.PrimitiveValue;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.event.VMDeathEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.render.FrameView;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.WaitStrategy;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.joml.Vector3f;

/**
 * Counts, for each of the four main paths, the classes of this project that execution enters, and the changes from class to class.
 *
 * <pre>
 * java -cp benchmarks/target/escapement.jar .ci/PathCount.java
 * java -cp benchmarks/target/escapement.jar .ci/PathCount.java --list                # also the classes and the changes
 * java -cp benchmarks/target/escapement.jar .ci/PathCount.java --compare OLDER.jar   # also the ratios to an older version
 * </pre>
 *
 * <p>The world has ten bodies, and neither hooks, a source log, reserved ids, drags nor remote senders. Each path begins and ends as
 * follows:
 *
 * <ul>
 *   <li><b>tick</b>: all that the thread of a service enters from one call of {@code Simulation.step} to the next, so one wait is part of
 *       it. The wait only parks: how often a wait spins is chance.
 *   <li><b>pose</b>: the call of {@code PoseWriter.set} for one of the ten bodies; then, from the return of {@code Simulation.capture}
 *       until a reader can acquire the snapshot, the calls into and within the packages {@code state.capture} and {@code state.exchange};
 *       then {@code FrameView.advance} and {@code position}.
 *   <li><b>input</b>: the call of {@code InputRing.offer}; then, from the start of the tick until its step has read the event, each call
 *       that the same tick without an event does not make, and the callers of these calls.
 *   <li><b>failure</b>: all that the thread of a service enters from the throw in {@code Simulation.step} until it ends; then the caller's
 *       call of {@code failure()}.
 * </ul>
 *
 * <p>A nested class or a lambda counts as its top-level class. A change is an entry into another class than the entry before; returns do
 * not count. Changes between the same two classes in the same direction are one kind, so loops over bodies add changes, but no kinds. Each
 * path runs often, in a JVM of its own, first to warm up. The counts are those of the most frequent run, because the operating system may
 * wake a waiting thread early. How often a class is entered may differ a little, because searches in measured times differ.
 */
class PathCount {

    private static final List<String> PATHS = List.of("tick", "pose", "input", "failure");

    private static final String OURS = "dev.escapement.";
    private static final String CAPTURE = OURS + "state.capture.";
    private static final String EXCHANGE = OURS + "state.exchange.";
    private static final int WARM_UPS = 30;
    private static final int COUNTED = 15;

    /** This many runs must be alike. On a busy machine more are counted, in further JVMs. */
    private static final int ALIKE = 8;

    private static final int MAX_LAUNCHES = 5;

    /** An entry into a method: its top-level class, and all our methods on the stack if the thread is suspended. */
    private record Entry(String type, String stack) {}

    public static void main(String[] args) throws Exception {
        if (args.length == 2 && args[0].equals("--scenario")) {
            Scenarios.run(args[1]);
            ended();
            return;
        }
        boolean lists = args.length == 1 && args[0].equals("--list");
        boolean compares = args.length == 2 && args[0].equals("--compare");
        if (args.length > 0 && !lists && !compares) {
            System.err.println("usage: PathCount.java [--list | --compare OTHER.jar]");
            System.exit(2);
        }
        String columns = "  classes  changes    kinds";
        String jar = System.getProperty("java.class.path");
        System.out.println("path   " + columns + (compares ? columns.repeat(2) + "   (now, older, ratios)" : ""));
        for (String path : PATHS) {
            List<Entry> entries = count(jar, path);
            int[] counts = counts(entries);
            System.out.printf("%-7s", path);
            print("%9.0f", counts[0], counts[1], counts[2]);
            if (compares) {
                int[] older = counts(count(args[1], path));
                print("%9.0f", older[0], older[1], older[2]);
                for (int i = 0; i < counts.length; i++) {
                    print("%9.2f", (double) counts[i] / older[i]);
                }
            }
            System.out.println();
            if (lists) {
                list(entries);
            }
        }
    }

    private static void list(List<Entry> entries) {
        Map<String, Integer> classes = new LinkedHashMap<>();
        entries.forEach(entry -> classes.merge(entry.type(), 1, Integer::sum));
        classes.forEach((type, times) -> System.out.printf("    %5d  %s%n", times, type));
        Map<String, Integer> changes = changes(order(entries));
        changes.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .forEach(change -> System.out.printf("    %5d  %s%n", change.getValue(), change.getKey()));
    }

    private static Map<String, Integer> changes(List<String> order) {
        Map<String, Integer> changes = new LinkedHashMap<>();
        for (int i = 1; i < order.size(); i++) {
            changes.merge(simpleName(order.get(i - 1)) + " -> " + simpleName(order.get(i)), 1, Integer::sum);
        }
        return changes;
    }

    private static String simpleName(String type) {
        return type.substring(type.lastIndexOf('.') + 1);
    }

    /** Counts the classes, the changes, and the kinds of changes. */
    private static int[] counts(List<Entry> entries) {
        List<String> order = order(entries);
        return new int[] {new HashSet<>(order).size(), order.size() - 1, changes(order).size()};
    }

    private static void print(String format, double... values) {
        for (double value : values) {
            System.out.printf(Locale.ROOT, format, value);
        }
    }

    private static List<Entry> count(String jar, String path) throws Exception {
        List<List<Entry>> samples = new ArrayList<>();
        List<List<Entry>> baselines = new ArrayList<>();
        for (int launches = 0; launches < MAX_LAUNCHES && mostFrequent(samples).size() < ALIKE; launches++) {
            Debugger debugger = new Debugger(jar, path);
            debugger.run();
            samples.addAll(debugger.samples);
            baselines.addAll(debugger.baselines);
        }
        if (mostFrequent(samples).size() < ALIKE) {
            throw new IllegalStateException("the runs of " + path + " differ too much to tell anything, only "
                    + mostFrequent(samples).size() + " of " + samples.size() + " are alike; is this machine very busy?");
        }
        List<Entry> found = shortest(mostFrequent(samples));
        return path.equals("input") ? onlyInFirst(found, shortest(mostFrequent(baselines))) : found;
    }

    /** Returns the runs of the kind that is most frequent. Two runs are of one kind if they have the same order of classes. */
    private static List<List<Entry>> mostFrequent(List<List<Entry>> runs) {
        Map<List<String>, List<List<Entry>>> kinds = new LinkedHashMap<>();
        runs.forEach(run -> kinds.computeIfAbsent(order(run), order -> new ArrayList<>()).add(run));
        return kinds.values().stream().max(Comparator.comparingInt(List::size)).orElse(List.of());
    }

    private static List<Entry> shortest(List<List<Entry>> runs) {
        return Collections.min(runs, Comparator.comparingInt(List::size));
    }

    /** Returns the classes in the order of their entries, each once for consecutive entries. */
    private static List<String> order(List<Entry> entries) {
        List<String> order = new ArrayList<>();
        for (Entry entry : entries) {
            if (order.isEmpty() || !order.get(order.size() - 1).equals(entry.type())) {
                order.add(entry.type());
            }
        }
        return order;
    }

    /** Returns the entries whose stacks are more frequent in the first list than in the second, and the entries on these stacks. */
    private static List<Entry> onlyInFirst(List<Entry> first, List<Entry> second) {
        Map<String, Integer> common = new HashMap<>();
        second.forEach(entry -> common.merge(entry.stack(), 1, Integer::sum));
        Set<String> stacks = new HashSet<>();
        for (Entry entry : first) {
            if (common.merge(entry.stack(), -1, Integer::sum) < 0) {
                for (int end = entry.stack().length(); end > 0; end = entry.stack().lastIndexOf(' ', end - 1)) {
                    stacks.add(entry.stack().substring(0, end));
                }
            }
        }
        return first.stream().filter(entry -> stacks.contains(entry.stack())).toList();
    }

    // ---- marks, which a scenario calls and the debugger sees

    /** The scenario is warm: entries are reported from now on. */
    static void ready() {}

    /** The scenario has ended: the debugger lets its JVM end when it has received all entries. */
    static void ended() {}

    /** Entries of the calling thread count from now on. */
    static void on() {}

    /** Entries of the calling thread count from now on, until {@link Scenarios#isVisible()}. */
    static void onUntilVisible() {}

    static void off() {}

    /** The entries since the last mark of this kind are one run. */
    static void done() {}

    /** As {@link #done()}, for a run that only the counted ones are compared with, or that is not used. */
    static void baseline() {}

    /** Launches a JVM that runs a scenario, and collects the entries between its marks. */
    private static final class Debugger {

        final List<List<Entry>> samples = new ArrayList<>();
        final List<List<Entry>> baselines = new ArrayList<>();

        private final String path;
        private final VirtualMachine vm;
        private final Set<Long> counting = new HashSet<>();
        private final boolean suspends;
        private final List<MethodEntryRequest> requests = new ArrayList<>();
        private List<Entry> entries = new ArrayList<>();
        private boolean awaitsVisible;

        Debugger(String jar, String path) throws Exception {
            this.path = path;
            // A tick and a failure belong to threads that follow a real clock, so they are not suspended.
            suspends = path.equals("pose") || path.equals("input");
            String source = System.getProperty("sun.java.command").split(" ")[1];
            LaunchingConnector launcher = Bootstrap.virtualMachineManager().defaultConnector();
            Map<String, Connector.Argument> arguments = launcher.defaultArguments();
            arguments.get("home").setValue(System.getProperty("java.home"));
            arguments.get("options").setValue("-cp \"" + new File(jar).getAbsolutePath() + "\"");
            arguments.get("main").setValue(source + " --scenario " + path);
            vm = launcher.launch(arguments);
        }

        void run() throws Exception {
            StringBuilder output = new StringBuilder();
            Thread out = reading(vm.process().getInputStream(), output);
            Thread err = reading(vm.process().getErrorStream(), output);
            var prepared = vm.eventRequestManager().createClassPrepareRequest();
            prepared.addClassFilter(PathCount.class.getName());
            prepared.enable();
            try {
                boolean ended = false;
                while (!ended) {
                    EventSet events = vm.eventQueue().remove();
                    for (Event event : events) {
                        ended |= event instanceof VMDeathEvent || event instanceof VMDisconnectEvent;
                        handle(event);
                    }
                    events.resume();
                }
            } catch (VMDisconnectedException disconnected) {
                // the scenario has ended, and its exit status tells how
            }
            out.join();
            err.join();
            if (vm.process().waitFor() != 0) {
                throw new IllegalStateException("the scenario " + path + " failed: " + output);
            }
        }

        private static Thread reading(InputStream from, StringBuilder to) {
            Thread thread = new Thread(() -> {
                try {
                    String all = new String(from.readAllBytes(), StandardCharsets.UTF_8);
                    synchronized (to) {
                        to.append(all);
                    }
                } catch (IOException failed) {
                    throw new UncheckedIOException(failed);
                }
            });
            thread.start();
            return thread;
        }

        private void handle(Event event) throws Exception {
            if (event instanceof ClassPrepareEvent prepared) {
                stopAt(prepared.referenceType(), "ready");
                stopAt(prepared.referenceType(), "ended");
            } else if (event instanceof BreakpointEvent && requests.isEmpty()) {
                requestEntries(PathCount.class.getName());
                requestEntries(OURS + "*");
            } else if (event instanceof MethodEntryEvent entry) {
                entered(entry.thread(), entry.method());
            }
        }

        private void stopAt(ReferenceType type, String mark) {
            Method method = type.methodsByName(mark).get(0);
            vm.eventRequestManager().createBreakpointRequest(method.location()).enable();
        }

        private void requestEntries(String types) {
            MethodEntryRequest request = vm.eventRequestManager().createMethodEntryRequest();
            request.addClassFilter(types);
            request.setSuspendPolicy(suspends ? EventRequest.SUSPEND_EVENT_THREAD : EventRequest.SUSPEND_NONE);
            request.enable();
            requests.add(request);
        }

        private void entered(ThreadReference thread, Method method) throws Exception {
            if (method.declaringType().name().equals(PathCount.class.getName())) {
                marked(thread.uniqueID(), method);
            } else if (counting.contains(thread.uniqueID())) {
                if (awaitsVisible && isVisible(thread)) {
                    counting.remove(thread.uniqueID());
                    awaitsVisible = false;
                } else {
                    String stack = suspends ? stack(thread) : "";
                    if (!awaitsVisible || stack.contains(CAPTURE) || stack.contains(EXCHANGE)) {
                        entries.add(new Entry(topLevel(method.declaringType()), stack));
                    }
                }
            }
        }

        private void marked(long thread, Method mark) {
            switch (mark.name()) {
                case "on" -> counting.add(thread);
                case "onUntilVisible" -> {
                    counting.add(thread);
                    awaitsVisible = true;
                }
                case "off" -> counting.remove(thread);
                case "done", "baseline" -> {
                    (mark.name().equals("done") ? samples : baselines).add(entries);
                    entries = new ArrayList<>();
                }
            }
        }

        /** Asks the scenario, on the thread that this debugger has suspended, whether a reader would get the snapshot now. */
        private boolean isVisible(ThreadReference thread) throws Exception {
            requests.forEach(request -> request.setEnabled(false)); // an event within the call would suspend it for ever
            ClassType scenarios = (ClassType) vm.classesByName(Scenarios.class.getName()).get(0);
            Method isVisible = scenarios.methodsByName("isVisible").get(0);
            var visible = (PrimitiveValue)
                    scenarios.invokeMethod(thread, isVisible, List.of(), ObjectReference.INVOKE_SINGLE_THREADED);
            requests.forEach(request -> request.setEnabled(true));
            return visible.booleanValue();
        }

        private static String stack(ThreadReference thread) throws Exception {
            StringBuilder names = new StringBuilder();
            for (StackFrame frame : thread.frames()) {
                Method method = frame.location().method();
                if (method.declaringType().name().startsWith(OURS)) {
                    String name = topLevel(method.declaringType()) + "." + method.name() + method.signature();
                    names.insert(0, name + (names.length() == 0 ? "" : " "));
                }
            }
            return names.toString();
        }

        private static String topLevel(ReferenceType type) {
            return type.name().replaceFirst("[$].*", "");
        }
    }

    /** The programs that are counted. They use only the public API that any game uses. */
    private static final class Scenarios {

        private static final long PERIOD_NANOS = 10_000_000;

        /** A reader that holds the last window before the capture. */
        private static SnapshotReader observer;

        static void run(String path) throws Exception {
            switch (path) {
                case "tick" -> tick();
                case "pose" -> pose();
                case "input" -> input();
                case "failure" -> failure();
                default -> throw new IllegalArgumentException("no such path: " + path);
            }
        }

        static boolean isVisible() {
            return observer.acquire();
        }

        private static void tick() throws Exception {
            CountedTicks world = new CountedTicks();
            // A slow rate, because the reported entries make ticks slow: no tick may be late.
            try (PhysicsService service = PhysicsService.builder(world)
                    .rate(TickRate.hertz(10))
                    .waitStrategy(WaitStrategy.PARK_ONLY)
                    .start()) {
                world.warm.await();
                ready();
                world.isReady = true;
                world.all.await();
            }
        }

        /** Counts the ticks that a busy machine has not delayed, because a thread that is late skips its wait. */
        private static final class CountedTicks extends World {

            private static final long MAX_LATE_NANOS = 20_000_000;

            final CountDownLatch warm = new CountDownLatch(WARM_UPS);
            final CountDownLatch all = new CountDownLatch(COUNTED);
            volatile boolean isReady;
            private boolean wasPunctual;

            @Override
            public void step(Tick tick) throws Exception {
                off();
                boolean isPunctual = System.nanoTime() - tick.dueNanos() < MAX_LATE_NANOS;
                if (isReady && isPunctual && wasPunctual) {
                    done();
                    all.countDown();
                } else if (isReady) {
                    baseline();
                }
                wasPunctual = isPunctual && isReady;
                super.step(tick);
                warm.countDown();
                if (all.getCount() > 0) {
                    on();
                }
            }
        }

        private static void pose() throws Exception {
            World world = new World() {
                @Override
                void setFirst(PoseWriter poses) {
                    on();
                    super.setFirst(poses);
                    off();
                }

                @Override
                public void capture(PoseWriter poses) {
                    super.capture(poses);
                    onUntilVisible();
                }
            };
            ManualClock clock = new ManualClock(0);
            try (InlineDriver driver = PhysicsService.builder(world).inline(clock);
                    FrameView view = FrameView.of(driver.newReader())) {
                observer = driver.newReader();
                Vector3f position = new Vector3f();
                for (int i = 0; i < WARM_UPS + COUNTED; i++) {
                    if (i == WARM_UPS) {
                        ready();
                    }
                    clock.advance(PERIOD_NANOS);
                    observer.acquire();
                    driver.runDueTicks();
                    on();
                    if (view.advance(clock.nanoTime())) {
                        view.position(world.ids[0], position);
                    }
                    off();
                    done();
                }
            }
        }

        private static void input() throws Exception {
            World world = new World() {
                @Override
                public void step(Tick tick) throws Exception {
                    if (tick.input().size() > 0) {
                        tick.input().event(0).code();
                    }
                    off();
                    super.step(tick);
                }
            };
            ManualClock clock = new ManualClock(0);
            try (InlineDriver driver = PhysicsService.builder(world).inline(clock)) {
                for (int i = 0; i < WARM_UPS + COUNTED; i++) {
                    if (i == WARM_UPS) {
                        ready();
                    }
                    clock.advance(PERIOD_NANOS);
                    on();
                    driver.input().offer(clock.nanoTime(), InputKind.KEY_DOWN, 5, 0, 0);
                    driver.runDueTicks();
                    done();
                    clock.advance(PERIOD_NANOS);
                    driver.input().offer(clock.nanoTime(), InputKind.KEY_UP, 5, 0, 0);
                    driver.runDueTicks();
                    clock.advance(PERIOD_NANOS);
                    on();
                    driver.runDueTicks();
                    baseline();
                }
            }
        }

        private static void failure() throws Exception {
            for (int i = 0; i < WARM_UPS + COUNTED; i++) {
                if (i == WARM_UPS) {
                    ready();
                }
                FailingWorld world = new FailingWorld();
                try (PhysicsService service = PhysicsService.start(world)) {
                    world.thread.join();
                    on();
                    service.failure();
                    off();
                    done();
                }
            }
        }

        private static final class FailingWorld extends World {

            volatile Thread thread;

            @Override
            public void begin() {
                thread = Thread.currentThread();
            }

            @Override
            public void step(Tick tick) throws Exception {
                super.step(tick);
                if (tick.number() == 5) {
                    on();
                    throw new IllegalStateException("on purpose");
                }
            }
        }

        /** Ten bodies, which all move in each step. */
        private static class World implements Simulation {

            final long[] ids = new long[10];
            private final int[] slots = new int[10];
            private float height;

            @Override
            public void step(Tick tick) throws Exception {
                height += 0.01f;
            }

            @Override
            public void capture(PoseWriter poses) {
                if (ids[0] == 0) {
                    for (int i = 0; i < ids.length; i++) {
                        ids[i] = poses.spawn(i);
                        slots[i] = poses.slotOf(ids[i]);
                    }
                }
                setFirst(poses);
                for (int i = 1; i < ids.length; i++) {
                    set(poses, i);
                }
            }

            void setFirst(PoseWriter poses) {
                set(poses, 0);
            }

            private void set(PoseWriter poses, int i) {
                poses.set(slots[i], i, height, 0, 0, 0, 0, 1);
            }
        }
    }
}
