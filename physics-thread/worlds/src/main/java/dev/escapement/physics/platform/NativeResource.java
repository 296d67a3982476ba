package dev.escapement.physics.platform;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.URL;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;

/**
 * A native library of an engine, stored in a jar. Any thread.
 *
 * <pre>{@code
 * NativeResource library = new NativeResource(
 *         "Engine", Platform.running(), "com.example:engine-linux:1.0", "/linux/x86-64/libengine.so");
 * library.load(EngineBinding.class, EngineSimulation.class);
 * }</pre>
 *
 * @param engine      the name of the engine, for messages
 * @param platform    the platform of the library
 * @param coordinates the Maven coordinates of the jar
 * @param path        the absolute path in the jar, which starts with {@code /} and ends with the library's file name
 */
public record NativeResource(String engine, Platform platform, String coordinates, String path) {

    /**
     * Copies the library out of its jar, because the operating system can only load it from a file. The file stays, in a folder of this
     * user in the temporary one: the next JVM uses it again, if it still has the bytes of the jar.
     *
     * @param user a class whose class loader finds the jar
     * @return the file; a copy that this JVM deletes at its end, if it can, where another class loader has got the file, or where the
     *         folder is not this user's alone
     * @throws UnsupportedPlatformException if the jar is not there
     * @throws UncheckedIOException         if the file cannot be written
     */
    public Path extract(Class<?> user) {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        try (InputStream in = find(user).openStream()) {
            return new NativeFolder(temporary, System.getProperties()).file(fileName(), in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(refused("copied", e), e);
        }
    }

    /**
     * Copies the library out of its jar and loads it for a binding, also if that has another class loader than this class: the JVM looks
     * for native methods only in what the class loader of their class has loaded.
     *
     * @param binding a class of the binding
     * @param user    a class whose class loader finds the jar
     * @throws UnsupportedPlatformException if the jar is not there, or its library does not run on this platform
     * @throws UncheckedIOException         if the file cannot be written
     * @throws IllegalStateException        if the operating system refuses the file, or the module of the binding is not open
     */
    public void load(Class<?> binding, Class<?> user) {
        String file = extract(user).toString();
        try {
            if (binding.getClassLoader() == NativeResource.class.getClassLoader()) {
                System.load(file);
            } else {
                loaderBeside(binding).invoke(file);
            }
        } catch (UnsatisfiedLinkError e) {
            throw explain(e);
        } catch (Throwable e) {
            throw new IllegalStateException(
                    engine + "'s binding has the class loader " + binding.getClassLoader() + ", and Escapement "
                            + NativeResource.class.getClassLoader()
                            + ": put both into one, or load the library there before Escapement does",
                    e);
        }
    }

    /** Defines a class beside the binding whose one method calls {@code System.load}, which links to its caller's class loader. */
    private static MethodHandle loaderBeside(Class<?> binding) throws IOException, ReflectiveOperationException {
        MethodHandles.Lookup beside = MethodHandles.privateLookupIn(binding, MethodHandles.lookup());
        String name =
                binding.getPackageName() + ".EscapementLoader" + System.nanoTime(); // others may have defined theirs
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(HexFormat.of().parseHex("cafebabe" + "00000034" + "000c")); // of Java 8, with eleven constants
        String load = "(Ljava/lang/String;)V";
        for (String constant : List.of(name, "java/lang/Object", "java/lang/System", "load", load, "Code")) {
            out.writeByte(1);
            out.writeUTF(constant.replace('.', '/'));
        }
        String classes = "070001070002070003"; // constants 7 to 9, of the names 1 to 3
        String calls = "0c000400050a0009000a"; // 10 is load(String), 11 is System.load(String)
        String type = "00210007000800000000" + "0001"; // public class 7 extends 8, with one method
        String method = "0009000400050001" + "000600000011" + "00010001"; // public static, its code, stack 1, locals 1
        String code = "000000052ab8000bb1" + "000000000000"; // aload_0, invokestatic 11, return
        out.write(HexFormat.of().parseHex(classes + calls + type + method + code));
        return beside.findStatic(
                beside.defineClass(bytes.toByteArray()), "load", MethodType.methodType(void.class, String.class));
    }

    /**
     * Checks that the jar is there, for bindings that copy the library themselves.
     *
     * @param user a class whose class loader finds the jar
     * @throws UnsupportedPlatformException if it is not
     */
    public void require(Class<?> user) {
        find(user);
    }

    /**
     * Explains why the operating system refused the library: musl is the C library here, and the library needs glibc; or the folder of the
     * file does not allow execution.
     *
     * @param refusal what was thrown when the library was loaded
     * @return an exception to throw, which says what to do: an {@link UnsupportedPlatformException} if this JVM runs on musl, else an
     *         {@link IllegalStateException}
     */
    public RuntimeException explain(Throwable refusal) {
        RuntimeException explained = platform.hasMusl()
                ? new UnsupportedPlatformException(engine + "'s native library needs glibc, but this is " + platform
                        + ": run this on Debian, for example")
                : new IllegalStateException(refused("loaded", refusal));
        explained.initCause(refusal);
        return explained;
    }

    private String refused(String what, Throwable refusal) {
        return engine + "'s native library could not be " + what + ": " + refusal.getMessage() + ". It is copied to "
                + System.getProperty("java.io.tmpdir") + ", which must be writable, have room and allow execution"
                + " (not noexec); another folder is set by -Djava.io.tmpdir=FOLDER";
    }

    /** By the class loader: on the class path and in all modules. A class in a module only finds what is in that module. */
    private URL find(Class<?> user) {
        URL found = user.getClassLoader().getResource(path.substring(1));
        if (found == null) {
            throw new UnsupportedPlatformException(engine + " has no native library for " + platform
                    + " on the class path: add " + coordinates + " to it, also if all else is on the module path");
        }
        return found;
    }

    private String fileName() {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
