package dev.escapement.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;

/**
 * Compares the ordered accesses to memory in the core, hosts, worlds and replay with {@code ordered-accesses.txt}. Each line has a field
 * and its access modes, each mode with the methods that use it, and their number if it is not one. A name after a blank is that of a local
 * variable, or of a method that returned the atomic; fences have {@code static} there.
 *
 * <p>An x86 processor keeps most orders even for weaker accesses, so few tests on such a processor find an access that was weakened. Change
 * the list by hand, and check that each changed access still fits its partners, which are in the same line.
 */
class OrderedAccessesTest {

    private static final List<String> MODULES = List.of(
            "shared-state",
            "physics-thread",
            "render-thread",
            "physics-thread/host",
            "physics-thread/worlds",
            "physics-thread/replay");

    private static final Path LISTING = Path.of("src", "test", "resources", "ordered-accesses.txt");

    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

    /** By the name of the field, by the access mode: the number of accesses in each method. */
    private final Map<String, Map<String, Map<String, Integer>>> accesses = new TreeMap<>();

    @Test
    void shouldOrderWhatItOrdered() throws Exception {
        for (String file : classFiles()) {
            ClassNode type = new ClassNode();
            try (InputStream bytes = OrderedAccessesTest.class.getClassLoader().getResourceAsStream(file)) {
                new ClassReader(Objects.requireNonNull(bytes, file)).accept(type, 0);
            }
            String name = shortName(type.name);
            for (FieldNode field : type.fields) {
                if ((field.access & Opcodes.ACC_VOLATILE) != 0) {
                    accesses.computeIfAbsent(name + "." + field.name, key -> new TreeMap<>())
                            .put("volatile", Map.of());
                }
            }
            for (MethodNode method : type.methods) {
                Receivers receivers = new Receivers(name, method);
                new Analyzer<>(receivers).analyze(type.name, method);
                receivers.found.values().forEach(access -> count(access, name, method.name));
            }
        }
        List<String> lines = new ArrayList<>();
        accesses.forEach((receiver, modes) -> lines.add(line(receiver, modes)));
        assertThat(lines)
                .as("An access changed its order. Check its partners and the comments of all, then change " + LISTING)
                .containsExactlyElementsOf(Files.readAllLines(LISTING));
    }

    private static List<String> classFiles() throws IOException {
        List<String> names = new ArrayList<>();
        for (String module : MODULES) {
            Path classes = ROOT.resolve(module).resolve("target/classes");
            try (Stream<Path> files = Files.walk(classes.resolve("dev"))) {
                files.map(file -> classes.relativize(file).toString().replace('\\', '/'))
                        .filter(name -> name.endsWith(".class"))
                        .forEach(names::add);
            }
        }
        return names;
    }

    private void count(Access access, String type, String method) {
        String owner = access.receiver.replaceFirst("( .*|\\.[^. ]*)$", "") + ".";
        String caller = type + "." + method.replaceFirst("^lambda\\$(.*)\\$.*", "$1");
        accesses.computeIfAbsent(access.receiver, key -> new TreeMap<>())
                .computeIfAbsent(access.mode, key -> new TreeMap<>())
                .merge(
                        caller.startsWith(owner)
                                ? caller.substring(owner.length())
                                : caller.replaceFirst("[^A-Z]*", ""),
                        1,
                        Integer::sum);
    }

    private static String line(String receiver, Map<String, Map<String, Integer>> modes) {
        return modes.entrySet().stream()
                .map(mode -> mode.getKey()
                        + mode.getValue().entrySet().stream()
                                .map(method ->
                                        method.getKey() + (method.getValue() == 1 ? "" : " " + method.getValue()))
                                .collect(Collectors.joining(", ", " (", ")"))
                                .replace(" ()", ""))
                .collect(Collectors.joining(", ", receiver + ": ", ""));
    }

    private static String shortName(String type) {
        return type.replaceFirst("^dev/escapement/", "").replace('/', '.').replace('$', '.');
    }

    private record Access(String receiver, String mode) {}

    /**
     * Follows references through a method, and collects the receivers of ordered accesses. The type of a reference is not its class here,
     * but the name of the field from which it comes, or a name with a blank if it comes from none. Names are joined by bars where more than
     * one is possible.
     */
    private static final class Receivers extends BasicInterpreter {

        /** By instruction, because the analyzer repeats an instruction until it knows all names of its operands. */
        final Map<AbstractInsnNode, Access> found = new HashMap<>();

        private final String type;
        private final MethodNode method;

        Receivers(String type, MethodNode method) {
            super(Opcodes.ASM9);
            this.type = type;
            this.method = method;
        }

        @Override
        public BasicValue newValue(@Nullable Type of) {
            BasicValue value = super.newValue(of);
            return of != null && of.equals(NULL_TYPE) ? new BasicValue(of) : named(value, type + " ?");
        }

        @Override
        public BasicValue newOperation(AbstractInsnNode step) throws AnalyzerException {
            return namedByField(step, super.newOperation(step));
        }

        @Override
        public BasicValue unaryOperation(AbstractInsnNode step, BasicValue value) throws AnalyzerException {
            return step.getOpcode() == Opcodes.CHECKCAST
                    ? value
                    : namedByField(step, super.unaryOperation(step, value));
        }

        @Override
        public BasicValue binaryOperation(AbstractInsnNode step, BasicValue array, BasicValue index)
                throws AnalyzerException {
            BasicValue value = super.binaryOperation(step, array, index);
            return step.getOpcode() == Opcodes.AALOAD ? named(value, name(array) + "[]") : value;
        }

        /** Names a reference by the local variable that has it, unless it comes from a field. */
        @Override
        public BasicValue copyOperation(AbstractInsnNode step, BasicValue value) {
            if (step.getOpcode() != Opcodes.ALOAD || !name(value).contains(" ")) {
                return value;
            }
            int at = method.instructions.indexOf(step);
            return method.localVariables.stream()
                    .filter(local -> local.index == ((VarInsnNode) step).var)
                    .filter(local -> method.instructions.indexOf(local.start) <= at)
                    .filter(local -> method.instructions.indexOf(local.end) > at)
                    .findFirst()
                    .map(local -> named(value, type + " " + local.name))
                    .orElse(value);
        }

        @Override
        public BasicValue naryOperation(AbstractInsnNode step, List<? extends BasicValue> values)
                throws AnalyzerException {
            BasicValue result = super.naryOperation(step, values);
            if (step instanceof MethodInsnNode call) {
                boolean isStatic = call.getOpcode() == Opcodes.INVOKESTATIC;
                collect(step, call.owner, call.name, isStatic ? type + " static" : name(values.get(0)));
                return named(result, type + " " + call.name + "()");
            }
            if (step instanceof InvokeDynamicInsnNode lambda) {
                for (Object argument : lambda.bsmArgs) {
                    if (argument instanceof Handle target) { // of a method reference, or the method of a lambda
                        String receiver = values.isEmpty() ? type + " ?" : name(values.get(0));
                        collect(step, target.getOwner(), target.getName(), receiver);
                    }
                }
            }
            return result;
        }

        private void collect(AbstractInsnNode step, String owner, String mode, String receiver) {
            boolean isAtomic = owner.startsWith("java/util/concurrent/atomic/") && !mode.equals("<init>");
            if (isAtomic || owner.equals("java/lang/invoke/VarHandle")) {
                found.put(step, new Access(receiver, mode));
            }
        }

        @Override
        public BasicValue merge(BasicValue one, BasicValue other) {
            if (!one.isReference() || !other.isReference()) {
                return super.merge(one, other);
            }
            Set<String> names = new TreeSet<>(List.of((name(one) + "|" + name(other)).split("\\|", -1)));
            if (names.size() > 1) {
                names.remove(NULL_TYPE.getInternalName());
            }
            if (names.stream().anyMatch(name -> name.contains(" "))) {
                names.removeIf(name -> !name.contains(" ")); // a local variable that may come from a field, too
            }
            return named(one, String.join("|", names));
        }

        private static BasicValue namedByField(AbstractInsnNode step, BasicValue value) {
            return step instanceof FieldInsnNode field
                    ? named(value, shortName(field.owner) + "." + field.name)
                    : value;
        }

        private static BasicValue named(BasicValue value, String name) {
            return value != null && value.isReference() ? new BasicValue(Type.getObjectType(name)) : value;
        }

        private static String name(BasicValue reference) {
            return reference.getType().getInternalName();
        }
    }
}
