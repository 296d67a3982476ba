package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.child.Collector;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.physics.LateTicks;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** All scenarios, in the order in which they run. */
public final class Scenarios {

    private Scenarios() {}

    /** Each of them, new. */
    public static List<Scenario> all() {
        return List.of(
                new Idle(),
                new RendererStalls(),
                new ReaderNeverLetsGo(),
                new ReadersComeAndGo(),
                new Churn(),
                new Teleports(),
                new NanBursts(),
                new Pile(1_000),
                new Pile(10_000),
                new Overload(LateTicks.skip()),
                new Overload(LateTicks.burst(4)),
                new Overload(LateTicks.delay()),
                new Overload(LateTicks.runAll()),
                new Spikes(),
                new InputFlood(),
                new ProducerSuspended(),
                new CommandFlood(),
                new SimulationThrows(),
                new CrashLoop(),
                new SimulationHangs(),
                new ListenerThrows(),
                new CloseAnywhere(),
                new FaultPairs(),
                GarbagePressure.under(Collector.G1),
                GarbagePressure.under(Collector.PARALLEL),
                GarbagePressure.under(Collector.ZGC),
                new CoresBusy(),
                ProcessSuspended.inChild(),
                SingleCore.inChild());
    }

    /**
     * Those with the names.
     *
     * @param names none for all
     * @throws IllegalArgumentException if there is no such scenario
     */
    public static List<Scenario> named(List<String> names) {
        List<Scenario> all = all();
        if (names.isEmpty()) {
            return all;
        }
        List<Scenario> named = new ArrayList<>();
        for (String name : names) {
            named.add(all.stream()
                    .filter(scenario -> scenario.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("there is no scenario '" + name + "'; there are "
                            + all.stream().map(Scenario::name).collect(Collectors.joining(", ")))));
        }
        return named;
    }
}
