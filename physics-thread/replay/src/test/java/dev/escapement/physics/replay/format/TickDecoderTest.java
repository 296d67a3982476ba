package dev.escapement.physics.replay.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputLevels;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Damaged payloads with a right checksum, which no recording writes. */
class TickDecoderTest {

    private static final RunDescription RUN = new RunDescription("spring", "1", "1", 0, TickRate.hertz(100));

    // The default tick has one event and one level.
    private long number = 1;
    private long lengthNanos = 10;
    private double budgetUsed;
    private int flags;
    private int commandType;
    private int commandBytes = 2;
    private int eventCount = 1;
    private final List<Event> events = new ArrayList<>(List.of(new Event()));
    private int levelSender = InputLevels.ALL;
    private int levelKind = 8;
    private int levelCode = 3;

    private static final class Event {

        long timeNanos = 5;
        long offsetNanos = 5;
        boolean late;
        int kind = 1;
        int code = 87;
        int sender;
    }

    private ByteBuffer payload() {
        ByteBuffer payload = ByteBuffer.allocate(500).order(ByteOrder.LITTLE_ENDIAN);
        putNumber(payload, number);
        putNumber(payload, lengthNanos);
        payload.putDouble(budgetUsed).putLong(77).put((byte) flags);
        putNumber(payload, eventCount);
        Event before = new Event();
        before.timeNanos = 0;
        before.offsetNanos = 0;
        for (Event event : events) {
            put(payload, event, before, event == events.get(0));
            before = event;
        }
        payload.put((byte) levelKind);
        putNumber(payload, levelSender);
        putNumber(payload, levelCode);
        payload.putFloat(0.5f);
        payload.put((byte) 0);
        return payload.flip();
    }

    private ByteBuffer command() {
        return record(LogFormat.COMMAND, commandType, commandBytes)
                .putShort((short) 0)
                .flip();
    }

    private static ByteBuffer wentBack(long to) {
        return record(LogFormat.WENT_BACK, to).flip();
    }

    private static ByteBuffer saved(long tick, long state) {
        return record(LogFormat.SAVED_STATE, tick, state)
                .put((byte) 1)
                .put((byte) 0)
                .flip();
    }

    private static ByteBuffer record(long... numbers) {
        ByteBuffer payload = ByteBuffer.allocate(50);
        for (long each : numbers) {
            putNumber(payload, each);
        }
        return payload;
    }

    private void put(ByteBuffer payload, Event event, Event before, boolean first) {
        putNumber(payload, 0);
        long sinceBeforeNanos = event.timeNanos - before.timeNanos;
        putNumber(payload, sinceBeforeNanos);
        putNumber(payload, event.offsetNanos - before.offsetNanos - (first ? 0 : sinceBeforeNanos));
        payload.put((byte) (event.late ? -event.kind : event.kind));
        putNumber(payload, event.code);
        payload.putFloat(0).putFloat(0);
        if ((flags & TickEncoder.SENDERS) != 0) {
            putNumber(payload, event.sender - (first ? 0 : before.sender));
        }
    }

    private static void putNumber(ByteBuffer payload, long number) {
        byte[] bytes = new byte[LogFormat.MAX_NUMBER_BYTES];
        payload.put(bytes, 0, LogFormat.putNumber(bytes, 0, number));
    }

    private TickDecoder decoder() {
        return new TickDecoder(RUN.rate(), List.of(new CommandName("push", 1)));
    }

    @Test
    void shouldGoBackOnlyToATickOfTheLog() {
        TickDecoder decoder = decoder();
        assertThat(decoder.decode(payload())).isNull();
        assertThat(decoder.decode(wentBack(2))).contains("cannot have gone back to tick 2 from tick 1");
        assertThat(decoder.decode(wentBack(-1))).contains("the log starts after tick 0");
        assertThat(decoder.decode(command())).isNull();
        assertThat(decoder.decode(wentBack(0))).isNull();
        assertThat(decoder.decode(payload())).isNull();
        assertThat(decoder.tick().commands).as("undone").isEmpty();
        assertThat(decoder.tick().number).isEqualTo(1);
        assertThat(decoder.tick().position).isEqualTo(2);
        assertThat(decoder.tick().wentBackTo).isZero();
        number = 2;
        assertThat(decoder.decode(payload())).isNull();
        assertThat(decoder.tick().wentBackTo).isEqualTo(-1);
        assertThat(decoder.decode(wentBack(1).limit(2))).isNull();
        assertThat(decoder.decode(wentBack(1).limit(1))).contains("end too early");
    }

    /** A saved state between a command and its tick is damage: it would contain the command, which a replay then repeats. */
    @Test
    void shouldRefuseAStateBetweenACommandAndItsTick() {
        TickDecoder decoder = decoder();
        assertThat(decoder.decode(saved(1, 1).put(3, (byte) 2))).isEqualTo("a saved state cannot be of kind 2");
        assertThat(decoder.decode(payload())).isNull();
        assertThat(decoder.decode(saved(1, 1))).isNull();
        assertThat(decoder.decode(command())).isNull();
        assertThat(decoder.decode(saved(1, 2))).isEqualTo("state 2 of tick 1 cannot follow state 1 and tick 1");
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                refused("no command of type number -1 with 2 bytes can follow tick 0", t -> t.commandType = -1),
                refused("no command of type number 1 with 2 bytes", t -> t.commandType = 1),
                refused("no command of type number 0 with -1 bytes", t -> t.commandBytes = -1),
                refused("no command of type number 0 with 500 bytes", t -> t.commandBytes = 500),
                refused("1 bytes too many", t -> t.commandBytes = 1),
                refused("event of kind null", t -> t.events.get(0).kind = 0),
                refused("event of kind null", t -> t.events.get(0).kind = 13),
                refused("event of kind SENDER_JOINED with code 87 of sender 0", t -> t.events.get(0).kind = 10),
                refused("event of kind SENDER_JOINED with code 0 of sender 0", t -> t.set(10, 0, 0)),
                refused("event of kind SENDER_LEFT with code 0 of sender -1", t -> t.set(11, 0, -1)),
                refused("event of kind SENDER_JOINED with code 1 of sender 1", t -> t.set(10, 1, 1)),
                refused("event of kind KEY_DOWN with code 1 of sender -1", t -> t.set(1, 1, -1)),
                refused("level of kind AXIS_MOVED with code 3 of sender -2", t -> t.levelSender = -2),
                refused("level of kind SENDER_JOINED with code 0 of sender -1", t -> t.setLevel(10, 0)),
                refused("level of kind null", t -> t.levelKind = -1),
                refused("event of kind KEY_DOWN with code 512", t -> t.events.get(0).code = 512),
                refused("level of kind AXIS_MOVED with code -1", t -> t.levelCode = -1),
                refused("unknown flags 8", t -> t.flags = 8),
                refused("fewer events than it says", t -> t.eventCount = Integer.MAX_VALUE),
                refused("fewer events than it says", t -> t.eventCount = -1),
                refused("a record that begins with -9 cannot follow tick 0", t -> t.number = -9),
                refused("tick 1 cannot take 0 ns", t -> t.lengthNanos = 0),
                refused("has no place for an event 11 ns into it", t -> t.events.get(0).offsetNanos = 11),
                refused("has no place for an event -1 ns into it", t -> t.events.get(0).offsetNanos = -1),
                refused("tick 1 cannot say that NaN of the budget was used", t -> t.budgetUsed = Double.NaN),
                refused("cannot say that Infinity of the", t -> t.budgetUsed = Double.POSITIVE_INFINITY));
    }

    private static Arguments refused(String why, Consumer<TickDecoderTest> change) {
        return Arguments.of(why, change);
    }

    private void set(int kind, int code, int sender) {
        events.get(0).kind = kind;
        events.get(0).code = code;
        events.get(0).sender = sender;
        flags = TickEncoder.SENDERS;
    }

    private void setLevel(int kind, int code) {
        levelKind = kind;
        levelCode = code;
    }

    @Test
    void shouldReadWhoSentAnEvent() {
        TickDecoder decoder = decoder();
        levelSender = 7;
        set(10, 0, 7);
        assertThat(decoder.decode(payload())).isNull();
        number = 2;
        set(1, 87, 7);
        assertThat(decoder.decode(payload())).isNull();
        InputFrame input = decoder.tick().input();
        assertThat(input.event(0).sender()).isEqualTo(7);
        assertThat(input.state(7).isKeyDown(87)).isTrue();
        assertThat(input.state(7).axis(3)).isEqualTo(0.5f);
        assertThat(input.state(0).isKeyDown(87)).isFalse();
        assertThat(input.state().isKeyDown(87)).isTrue();
        assertThat(input.state().axis(3)).as("a level of sender 7 alone").isZero();
    }

    /** A damaged file must not make the decoder keep more senders than a run can have. */
    @Test
    void shouldRefuseMoreSendersThanARunCanHave() {
        TickDecoder decoder = decoder();
        for (int sender = 1; sender <= 2 * InputFrame.MAX_SENDERS; sender++) {
            number = sender;
            set(10, 0, sender);
            assertThat(decoder.decode(payload())).isNull();
        }
        number++;
        set(10, 0, 5000);
        assertThat(decoder.decode(payload())).contains("of sender 5000, where 2048 have joined");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void shouldRefuseWhatCannotBe(String why, Consumer<TickDecoderTest> change) {
        assertAccepted();
        change.accept(this);
        assertRefused(why);
    }

    @Test
    void shouldRefuseALateEventWithinTheTick() {
        events.get(0).late = true;
        assertRefused("has no place for an event 5 ns into it, after one 0 ns into it, late");
        events.get(0).offsetNanos = 0;
        assertAccepted();
    }

    @Test
    void shouldRefuseEventsOutOfTheOrderOfTheirTime() {
        setEvents(4, 5, 5);
        assertRefused("an event at 4 ns after one at 5 ns");
        setEvents(6, 5, 4);
        assertRefused("an event 4 ns into it, after one 5 ns");
        setEvents(5, 5, 5);
        assertAccepted();
        setEvents(6, 5, 6);
        assertAccepted();
    }

    /** Events are ordered by the differences of their times, because clocks may be negative and wrap. */
    @Test
    void shouldOrderEventsByTheDifferenceOfTheirTimes() {
        setEvents(Long.MIN_VALUE, Long.MAX_VALUE, 5);
        assertAccepted();
        setEvents(Long.MAX_VALUE, Long.MIN_VALUE, 5);
        assertRefused("an event at 9223372036854775807 ns after one at -9223372036854775808 ns");
    }

    private void setEvents(long timeNanos, long timeNanosBefore, long offsetNanos) {
        Event second = new Event();
        second.timeNanos = timeNanos;
        second.offsetNanos = offsetNanos;
        events.get(0).timeNanos = timeNanosBefore;
        events.subList(1, events.size()).clear();
        events.add(second);
        eventCount = 2;
    }

    @Test
    void shouldRefuseBytesThatNobodyKnows() {
        ByteBuffer payload = payload();
        assertThat(decoder().decode(payload.limit(payload.limit() + 1))).contains("1 bytes too many");
    }

    @Test
    void shouldRefuseATickThatEndsTooEarly() {
        int eventsAt = 20; // the event of the payload begins here
        for (int bytes = payload().limit() - 1; bytes >= 0; bytes--) {
            assertThat(decoder().decode(payload().limit(bytes)))
                    .isEqualTo(
                            bytes >= eventsAt && bytes < eventsAt + TickDecoder.MIN_EVENT_BYTES
                                    ? "tick 1 has fewer events than it says"
                                    : "these " + bytes
                                            + " bytes cannot be a record: they end too early, or a number is too large");
        }
    }

    @Test
    void shouldCutTheNameOfALocalCommand() throws IOException {
        TickEncoder encoder = new TickEncoder(List.of(), 100);
        encoder.putLocal("x".repeat(LogFormat.MAX_NAME_BYTES + 1));
        TickDecoder decoder = decoder();
        assertThat(decoder.decode(encoder.buffer().flip().position(LogFormat.RECORD_HEADER_BYTES)))
                .isNull();
        assertThat(decoder.tick().local).hasSize(LogFormat.MAX_NAME_BYTES);
    }

    @Test
    void shouldNotCallASavedStateATick() {
        TickEncoder encoder = new TickEncoder(List.of(), 100);
        StateBuffer state = StateBuffer.unsealed(new byte[LogFormat.MAX_RECORD_BYTES]);
        assertThatIOException()
                .isThrownBy(() -> encoder.putState(7, 1, true, state))
                .withMessageMatching("a record would have 6710\\d+ bytes, but a log has room for 67108864 in each");
    }

    private void assertAccepted() {
        assertThat(decodeBoth()).isNull();
    }

    private void assertRefused(String why) {
        assertThat(decodeBoth()).contains(why);
    }

    private @Nullable String decodeBoth() {
        TickDecoder decoder = decoder();
        String why = decoder.decode(command());
        return why == null ? decoder.decode(payload()) : why;
    }
}
