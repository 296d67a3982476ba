package dev.escapement.physics.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.command.CommandType;
import dev.escapement.state.Slice;
import dev.escapement.state.event.BodyEvent;
import dev.escapement.state.event.BodyEvent.Kind;
import dev.escapement.state.event.Contacts;
import dev.escapement.state.event.Contacts.Contact;
import dev.escapement.state.event.EventStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The contract of every {@code WorldSimulation} for commands in any order, before the first tick, while time runs, and in a pause: nothing
 * throws, and the contacts of an observer balance.
 */
public abstract class ExistingWorldSequencesContract<W, B> extends ExistingWorldFixture<W, B> {

    private static final int SEEDS = 1600;
    private static final int ROUNDS = 24;
    private static final int MAX_CRATES = 9;
    private static final Set<Kind> LIFECYCLES = Set.of(Kind.SPAWNED, Kind.DESPAWNED);

    /** What a command does: spawns, despawns, detaches or moves a crate, or clears the world. */
    private enum Deed {
        SPAWN,
        DESPAWN,
        DETACH,
        MOVE,
        CLEAR
    }

    private record Order(Deed deed, int number) {

        private static final CommandType<Order, Integer> TYPE = CommandType.of(
                "order",
                1,
                (order, to) -> {
                    to.writeUTF(order.deed().name());
                    to.writeInt(order.number());
                },
                from -> new Order(Deed.valueOf(from.readUTF()), from.readInt()));
    }

    /** Follows the contacts of one stream, and asks for them where it has to. */
    private final class Observer {

        private final EventStream events;
        private final Set<Contact> open = new HashSet<>();
        private @Nullable CompletableFuture<Contacts> asked;

        /** The tick from whose end on the set is right; -1 if it is not. */
        private long from;

        private long missed;

        Observer(int capacity) {
            events = driver.events(capacity);
        }

        void ask() {
            from = -1;
            asked = driver.contacts();
        }

        void follow() {
            if (asked != null && goesBack() && asked.isCompletedExceptionally()) {
                ask(); // readers did not see the restored state yet
            } else if (asked != null) {
                Contacts answer = asked.join();
                asked = null;
                from = answer.tick();
                open.clear();
                open.addAll(answer.touching());
                assertThat(open).hasSameSizeAs(answer.touching());
            }
            events.drain(event -> {
                if (event.kind() == Kind.GAP) {
                    missed += event.missed();
                    ask();
                } else if (from >= 0 && event.tick() > from && !LIFECYCLES.contains(event.kind())) {
                    follow(event);
                }
            });
        }

        private void follow(BodyEvent event) {
            boolean begins = event.kind() == Kind.CONTACT_BEGAN || event.kind() == Kind.CONTACT_ENDED_RETRACTED;
            boolean isChange = begins ? open.add(Contact.of(event)) : open.remove(Contact.of(event));
            assertThat(isChange || goesBack()).as(event.toString()).isTrue();
        }

        /** Whether the set is right: no events are missing whose gap is yet to come. */
        boolean isSure() {
            return from >= 0 && events.missed() == missed;
        }
    }

    /** The attached crates by their user data. */
    protected final TreeMap<Long, B> crates = new TreeMap<>();

    private final List<B> loose = new ArrayList<>();
    private final List<Observer> observers = new ArrayList<>();
    private boolean isPaused;

    /** The last simulation tick that was served. */
    protected long last;

    protected static LongStream seeds() {
        return Slice.current().seeds(SEEDS, ExistingWorldSequencesContract.class);
    }

    /** Returns the builder of a run. */
    protected PhysicsServiceBuilder builder(SplittableRandom random) {
        simulation.commands().on(Order.TYPE, (tick, order) -> obey(order));
        return PhysicsService.builder(simulation);
    }

    /** Lets an engine do more in the order of the commands. Returns whether observers have to ask anew. */
    protected boolean doMore(SplittableRandom random) {
        return false;
    }

    /** Whether the run may go back, so that an event may repeat what an observer knows. */
    protected boolean goesBack() {
        return false;
    }

    /** Three observers agree: one from the start, one that comes later, and one whose stream has gaps. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void contactsBalanceInAnyOrderOfCommands(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        driver.close();
        simulation = wrap(game);
        driver = builder(random).inline(clock);
        observers.add(new Observer(1 << 12));
        observers.add(new Observer(8));
        int late = random.nextInt(ROUNDS);
        for (int round = 0; round < ROUNDS; round++) {
            for (int orders = random.nextInt(4); orders > 0; orders--) {
                order(Deed.values()[random.nextInt(round < 4 ? 1 : 5)], random.nextInt(1000));
                if (doMore(random)) {
                    observers.forEach(Observer::ask);
                }
            }
            if (round == late) {
                observers.add(new Observer(1 << 12));
                observers.get(2).ask();
            }
            if (round > 1) {
                given.add(driver.query(tick -> last = tick));
                pass(random);
                follow();
            }
        }
        order(Deed.CLEAR, 0);
        resume();
        tick(2);
        follow();
        for (Observer observer : observers) {
            assertThat(observer.isSure() ? observer.open : Set.of()).isEmpty();
        }
    }

    private void follow() {
        observers.forEach(Observer::follow);
        Observer first = observers.get(0);
        for (Observer observer : observers) {
            if (!isPaused && first.isSure() && observer.isSure()) { // in a pause, ends wait for the next step
                assertThat(observer.open).isEqualTo(first.open);
            }
        }
    }

    private void order(Deed deed, int number) {
        given.add(driver.command(Order.TYPE, new Order(deed, number)));
    }

    /** Serves the commands in a pause, or runs ticks. */
    private void pass(SplittableRandom random) {
        if (isPaused && random.nextInt(3) > 0) {
            clock.advance(TICK_NANOS);
            serve();
        } else if (!isPaused && random.nextInt(3) == 0) {
            driver.pause();
            tick(1);
            isPaused = true;
        } else {
            resume();
            tick(random.nextInt(20) == 0 ? 90 : 1 + random.nextInt(12));
        }
    }

    private void resume() {
        if (isPaused) {
            isPaused = false;
            driver.resume();
            serve();
        }
    }

    private int obey(Order order) {
        int x = order.number % 3;
        int y = order.number / 3 % 3;
        Deed deed = order.deed;
        if (deed == Deed.SPAWN) {
            spawn(x, y);
        } else if (deed == Deed.CLEAR) {
            crates.values().forEach(this::removeDetached);
            crates.clear();
            loose.forEach(game::remove);
            loose.clear();
        } else if (!crates.isEmpty()) {
            long number = List.copyOf(crates.keySet()).get(order.number % crates.size());
            B crate = Objects.requireNonNull(crates.get(number));
            if (deed == Deed.MOVE) {
                game.place(crate, 1.1 * x, 0.6 + 1.1 * y);
                simulation.teleported(crate);
            } else {
                crates.remove(number);
                remove(crate, deed == Deed.DETACH && keepsLoose());
            }
        }
        return crates.size();
    }

    /** Whether detached crates may stay in the world. */
    protected boolean keepsLoose() {
        return true;
    }

    private void spawn(int x, int y) {
        if (crates.size() + loose.size() < MAX_CRATES) {
            long number = crates.isEmpty() ? 1 : crates.lastKey() + 1;
            crates.put(number, attach(game.addBox(0.9 * x, 0.52 + 1.01 * y), number));
        }
    }

    private void remove(B crate, boolean keeps) {
        if (keeps) {
            simulation.detach(crate);
            loose.add(crate);
        } else {
            removeDetached(crate);
        }
    }
}
