package dev.escapement.physics.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandTypeTest {

    private static final CommandType<String, Integer> SAY =
            CommandType.of("say", 1, (text, to) -> to.writeUTF(text), from -> from.readUTF());

    private final CommandHandlers handlers = new CommandHandlers().on(SAY, (tick, text) -> text.length() + (int) tick);

    @Test
    void shouldRunWhatWasWritten() throws Exception {
        CommandData data = handlers.write(SAY, "tick");
        assertThat(data.type()).hasToString("'say' version 1");
        assertThat(data.bytes()).containsExactly(0, 4, 't', 'i', 'c', 'k');
        assertThat(handlers.read(data).run(7)).isEqualTo(11);
        handlers.require(handlers.types());
    }

    @Test
    void shouldRefuseWhatNothingHandles() {
        CommandType<String, Integer> newer = CommandType.of("say", 2, (text, to) -> {}, from -> "");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> handlers.write(newer, "x"))
                .withMessage("the simulation has no handler for commands of type 'say' version 2, only for"
                        + " ['say' version 1]; add one with commands().on(...)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CommandHandlers.none().read(handlers.write(SAY, "x")))
                .withMessageContaining("only for none");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> handlers.on(SAY, (tick, text) -> 1))
                .withMessageContaining("there is a handler for 'say' version 1 already");
        assertThatIllegalStateException()
                .isThrownBy(() -> CommandHandlers.none().on(SAY, (tick, text) -> 1))
                .withMessageContaining("comes too late");
    }

    @Test
    void shouldRefuseReadersThatDoNotFitTheirWriters() {
        CommandType<Integer, Integer> greedy =
                CommandType.of("greedy", 1, (number, to) -> to.writeByte(number), from -> from.readInt());
        CommandType<Integer, Integer> sated =
                CommandType.of("sated", 1, (number, to) -> to.writeInt(number), from -> (int) from.readByte());
        CommandType<Integer, Integer> broken = CommandType.of(
                "broken",
                1,
                (number, to) -> {
                    throw new IOException("no ink");
                },
                from -> 0);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> greedy.read(greedy.write(7)))
                .withMessageStartingWith("these 1 bytes cannot be read as 'greedy' version 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sated.read(sated.write(7)))
                .withMessageContaining("3 of them are left");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> broken.write(7))
                .withMessage("7 cannot be written as 'broken' version 1: no ink");
    }

    @Test
    void shouldRefuseWhatIsTooLong() {
        CommandType<Integer, Integer> zeros =
                CommandType.of("zeros", 1, (count, to) -> to.write(new byte[count]), from -> 0);
        assertThat(zeros.write(CommandType.MAX_BYTES)).hasSize(65_536);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> zeros.write(CommandType.MAX_BYTES + 1))
                .withMessage("65537 has 65537 bytes as 'zeros' version 1, but may have 65536");
    }

    @ParameterizedTest
    @CsvSource({"'', 1", "' ', 1", "push, 0", "push, -1"})
    void shouldRefuseNamesAndVersionsThatAreNone(String name, int version) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CommandType.of(name, version, (data, to) -> {}, from -> 0))
                .withMessageContaining("but not '" + name + "' and " + version);
    }
}
